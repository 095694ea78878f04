"""The window: PySide6 widgets over `gpuconfig.presentation`."""
