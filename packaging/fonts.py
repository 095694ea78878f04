"""Noto Sans SC in two static weights, cut to the characters of GBK and the symbols the product uses.

The source is the variable TrueType font that a pip package carries. Static weights, because Qt shows the
variable file thin at weight 400 and ReportLab embeds its default, which is thin too; GBK, because common
names hold hanzi outside GB2312 and ReportLab draws an empty box without a word. Two builds give the same
bytes.
"""

import hashlib
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

SOURCE_PACKAGE = "justmytype_intl_cjk"
SOURCE_FOLDER = "fonts/ofl/notosanssc"
WEIGHTS = {"NotoSansSC-Regular.ttf": 400, "NotoSansSC-Bold.ttf": 700}
LAYOUT_FEATURES = ["kern", "mark", "mkmk", "ccmp"]  # no locl: it breaks the text of PDFs

SYMBOL_RANGES = (
    (0x0020, 0x007E), (0x00A0, 0x017F), (0x0370, 0x03FF), (0x2000, 0x209F), (0x20A0, 0x20CF),
    (0x2100, 0x218F), (0x2190, 0x22FF), (0x2460, 0x24FF), (0x2500, 0x27BF),
    (0x3000, 0x303F), (0xFF00, 0xFFEF),
)  # fmt: skip


def key() -> str:
    """What the built fonts depend on: this recipe and the versions of its tools."""
    recipe = Path(__file__).read_bytes()
    tools = f"{version('fonttools')} {version('justmytype-intl-cjk')}".encode()
    return hashlib.sha256(recipe + tools).hexdigest()


def build(target: Path) -> None:
    """Write both weights and the licence into `target`; about 20 s on two cores."""
    source = _source_folder()
    target.mkdir(parents=True, exist_ok=True)
    subset = target / f"subset.{os.getpid()}.part"
    try:
        _cut(source / "NotoSansSC[wght].ttf", subset)
        with ProcessPoolExecutor(max_workers=2) as pool:
            for job in [pool.submit(_instance, subset, target / name, w) for name, w in WEIGHTS.items()]:
                job.result()
    finally:
        subset.unlink(missing_ok=True)
    shutil.copyfile(source / "OFL.txt", target / "OFL.txt")


def characters() -> set[int]:
    """Code points of GBK and of `SYMBOL_RANGES`."""
    points = {point for first, last in SYMBOL_RANGES for point in range(first, last + 1)}
    for lead in range(0x81, 0xFF):
        for trail in range(0x40, 0xFF):
            text = bytes((lead, trail)).decode("gbk", errors="ignore")
            points.update(map(ord, text[:1]))
    return points


def _source_folder() -> Path:
    spec = find_spec(SOURCE_PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"the package {SOURCE_PACKAGE} with the font is not installed")
    return Path(spec.origin).parent / SOURCE_FOLDER


def _cut(source: Path, target: Path) -> None:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(
        layout_features=LAYOUT_FEATURES, hinting=False, recalc_timestamp=False, notdef_outline=True
    )
    options.name_IDs = ["*"]
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    font.save(target)


def _instance(subset: Path, target: Path, weight: int) -> None:
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = instancer.instantiateVariableFont(
        TTFont(subset, recalcTimestamp=False), {"wght": weight}, updateFontNames=True
    )
    part = target.with_suffix(f".{os.getpid()}.part")
    font.save(part)
    part.replace(target)
