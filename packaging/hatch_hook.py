"""Puts what `dev.py setup` builds, and resources/ and db/, inside the wheel as gpuconfig/bundled/."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssetsHook(BuildHookInterface):
    """Adds gpuconfig/bundled/ to a wheel; an editable install reads the checkout itself."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the assets that are out of date and name the folders to include."""
        if version == "editable" or self.target_name != "wheel":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "packaging"))
        import assets

        included = {"resources": root / "resources", "db": root / "db", "assets": assets.build_all()}
        for name, folder in included.items():
            if folder.is_dir():
                build_data["force_include"][str(folder)] = f"gpuconfig/bundled/{name}"
