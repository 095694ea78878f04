"""Put what `dev.py setup` builds, and resources/ and db/, inside the wheel."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssetsHook(BuildHookInterface):
    """Adds gpuconfig/bundled/ to a wheel; an editable install reads the checkout itself."""

    PLUGIN_NAME = "custom"
