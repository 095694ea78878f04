"""The version that Windows shows in an executable's properties (not tested on Windows yet)."""

from pathlib import Path

TEMPLATE = """VSVersionInfo(
    ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004, fileType=1),
    kids=[
        StringFileInfo([StringTable("080404B0", [
            StringStruct("FileDescription", "gpuconfig"),
            StringStruct("FileVersion", "{version}"),
            StringStruct("InternalName", "gpuconfig"),
            StringStruct("LegalCopyright", "Apache-2.0"),
            StringStruct("OriginalFilename", "gpuconfig.exe"),
            StringStruct("ProductName", "gpuconfig"),
            StringStruct("ProductVersion", "{version}"),
        ])]),
        VarFileInfo([VarStruct("Translation", [0x0804, 1200])]),
    ],
)
"""


def write(version: str, target: Path) -> Path:
    """Write PyInstaller's version file for `version`, for example 0.1.0, to `target`."""
    numbers = (*map(int, version.split(".")[:3]), 0)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(TEMPLATE.format(numbers=numbers, version=version), encoding="utf-8")
    return target
