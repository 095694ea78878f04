"""The script that PyInstaller freezes; a wheel's `gpuconfig` starts the same function."""

import sys

from gpuconfig.__main__ import main

sys.exit(main())
