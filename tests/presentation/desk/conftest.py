"""The desk over the bundled catalogue and an overlay of its own."""

from datetime import date

import pytest

from gpuconfig import app


@pytest.fixture
def services(tmp_path):
    """Services whose overlay lies in a folder of this test."""
    return app.services(tmp_path / "user" / "overlay.sqlite")


@pytest.fixture
def desk(services):
    """Its desk."""
    return services.desk()


@pytest.fixture
def today():
    """The day the desk puts on new records."""
    return date.today().isoformat()
