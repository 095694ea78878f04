"""Merges the .po files of a language, one per package, into the one catalogue that gettext loads."""

import os
from pathlib import Path

DOMAIN = "gpuconfig"


class CatalogueError(Exception):
    """A .po file that cannot be read, or two that translate the same text differently."""


def compile_all(source: Path, target: Path) -> None:
    """Compile each language folder of `source` into `target/<language>/LC_MESSAGES/gpuconfig.mo`."""
    from babel.messages.mofile import write_mo

    target.mkdir(parents=True, exist_ok=True)
    for folder in sorted(path for path in source.glob("*") if path.is_dir()):
        compiled = target / folder.name / "LC_MESSAGES" / f"{DOMAIN}.mo"
        compiled.parent.mkdir(parents=True, exist_ok=True)
        part = compiled.with_suffix(f".{os.getpid()}.part")
        with part.open("wb") as file:
            write_mo(file, merge(sorted(folder.glob("*.po")), folder.name))
        part.replace(compiled)


def merge(files, language: str):  # types of Babel stay out: it is imported only when something is compiled
    """One babel Catalog from `files`; raises CatalogueError where they contradict each other."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import PoFileError, read_po

    merged, origins = Catalog(locale=language, charset="utf-8"), {}
    for path in files:
        _check_quotes(path)
        try:
            with path.open("rb") as file:
                fragment = read_po(file, locale=language, charset="utf-8", abort_invalid=True)
        except (PoFileError, UnicodeDecodeError) as error:
            raise CatalogueError(f"{path.name}: {error}") from error
        for message in fragment:
            if not message.id or not message.string or message.fuzzy:
                continue
            known = merged.get(message.id, message.context)
            if known is not None and known.string != message.string:
                first = origins[message.context, message.id]
                raise CatalogueError(
                    f"{path.name} and {first} translate {message.id!r} differently: "
                    f"{message.string!r} and {known.string!r}; use one of them, or a context"
                )
            origins[message.context, message.id] = path.name
            merged.add(message.id, message.string, context=message.context)
    return merged


def _check_quotes(path: Path) -> None:
    """Refuse a line whose string does not end: Babel would read on without a word."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("#") and not (text.endswith('"') and text.count('"') > 1):
            raise CatalogueError(f"{path.name}, line {number}: the text does not end with a quotation mark")
