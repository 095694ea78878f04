"""`gpuconfig help`: the help pages on the terminal; with `--refresh` their measured tables anew."""

from __future__ import annotations

from pathlib import Path

from gpuconfig import paths
from gpuconfig.cli.commands.validate import markdown, scores_of
from gpuconfig.cli.held_out import KINDS, held_out_scores
from gpuconfig.cli.help_tables import articles, defaults
from gpuconfig.cli.help_tables.table import filled
from gpuconfig.cli.options import KINDS_TO_FIT, Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language, load

MEASURED_PAGE = "accuracy"


def run(shell: Shell) -> Exit:
    """Print a page, or the pages' names; or write the measured tables into the pages of the checkout."""
    if shell.options.refresh:
        refresh(shell, shell.options.held_out)
        return Exit.DONE
    page, names = shell.options.page, page_names()
    if page is None:
        shell.print("\n".join(names))
        return Exit.DONE
    if page not in names:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(names)})
        raise InputError("unknown_value", "PAGE", page, Message(N_("not a known value")), accepted)
    shell.print(page_file(page, shell.translator.language).read_text(encoding="utf-8"))
    return Exit.DONE


def page_names() -> list[str]:
    """Names of the help pages."""
    return sorted(p.name.removesuffix(".en.md") for p in (paths.resources() / "help").glob("*.en.md"))


def page_file(page: str, language: Language) -> Path:
    """The file of a page in a language."""
    return paths.resources() / "help" / f"{page}.{language.value}.md"


def refresh(shell: Shell, with_held_out: bool) -> None:
    """Measure the tables of the page on accuracy again, and write those of the articles and of the fields."""
    scores = {kind: scores_of(shell, kind) for kind in KINDS_TO_FIT}
    if with_held_out:
        scores |= {f"held-out-{kind}": held_out_scores(shell, kind) for kind in KINDS}
    for language in Language:
        gettext = load(language).gettext
        measured = {name: markdown(shell, found, gettext) for name, found in scores.items()}
        pages = {
            MEASURED_PAGE: measured,
            articles.PAGE: articles.article_blocks(shell.services, gettext),
            defaults.PAGE: defaults.default_blocks(gettext),
        }
        for page, blocks in pages.items():
            path = page_file(page, language)
            path.write_text(filled(path.read_text(encoding="utf-8"), blocks), encoding="utf-8")
            shell.print(str(path))
