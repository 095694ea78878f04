"""The command line's arguments: every subcommand, its options and the exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

from gpuconfig import __version__
from gpuconfig.cli.catalogue_options import catalogue_options, measurement_options, price_options


class Exit(IntEnum):
    """Exit codes of every subcommand."""

    DONE = 0
    ANSWER_IS_NO = 1
    WRONG_USAGE = 2
    BAD_INPUT = 3
    OUR_BUG = 70


PAPERS = (
    "proposal, budget-estimate, quotation, requisition, comparison, deviation, build-sheet, card-comparison"
)
KINDS_TO_FIT = ("memory", "training", "scaling", "serving", "image", "vision")
ALL_KINDS = "all"
OPENING = ("--quit-after-first-paint",)
"""With nothing but these the window opens, and no subcommand is looked for."""


class _Parser(argparse.ArgumentParser):
    """argparse with the exit code of the contract, and a table of a request's fields below the help."""

    has_fields = False

    def format_help(self) -> str:
        if not self.has_fields:
            return super().format_help()
        from gpuconfig.cli.field_table import request_fields

        return super().format_help() + "\n".join(request_fields()) + "\n"

    def error(self, message: str) -> NoReturn:
        self.print_usage()
        self.exit(Exit.WRONG_USAGE, f"{self.prog}: {message}\n")


def parser(*, commands: bool = True) -> argparse.ArgumentParser:
    """The whole command line; `commands` False: only what opens the window, which is made sooner."""
    root = _Parser(
        prog="gpuconfig", description="Plan, check and price machines for AI. Without a command: the window."
    )
    root.add_argument("--version", action="version", version=f"gpuconfig {__version__}")
    root.add_argument(
        "--quit-after-first-paint", action="store_true", help="open the window, end once it can be used"
    )
    root.add_argument(
        "--headless-demo", type=Path, metavar="FOLDER", help="work through the first sample without a display"
    )
    root.add_argument("--open", dest="project", type=Path, metavar="PROJECT", help="open this project file")
    _common(root, root=True)
    if commands:
        _commands(root.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser))
    else:
        root.set_defaults(command=None)
    return root


def _commands(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Every subcommand with its options."""
    for name, text in (
        ("estimate", "memory, speed and power of one configuration"),
        ("check", "judge a parts list"),
    ):
        _request(commands.add_parser(name, help=text), has_fields=name == "estimate")
    explain = commands.add_parser("explain", help="the formula, inputs and sources behind a figure")
    _request(explain)
    explain.add_argument("--quantity", metavar="NAME", help="which figure; default the main one")
    explain.add_argument("--depth", type=int, default=12, help="levels shown")
    _recommend(commands.add_parser("recommend", help="from a requirement to machines"))
    catalogue_options(
        commands.add_parser("catalogue", help="accelerators, parts, models and prices"), _Parser, _common
    )
    _validate(
        commands.add_parser("validate", help="score a model against the shipped measurements, per source")
    )
    fit = commands.add_parser(
        "calibrate", help="fit the coefficients of a model from the shipped measurements"
    )
    fit.add_argument("kind", choices=KINDS_TO_FIT)
    fit.add_argument("--output", type=Path, metavar="FOLDER", help="where the coefficient files go")
    _common(fit)
    compare = commands.add_parser("compare", help="two to six accelerators side by side")
    compare.add_argument("references", nargs="+", metavar="ID", help="ids, names or aliases")
    compare.add_argument("--differences", action="store_true", help="only rows that differ")
    compare.add_argument("--markdown", action="store_true", help="as a Markdown table")
    _common(compare)
    _request(commands.add_parser("tco", help="what each option costs over three years, bought or rented"))
    document = commands.add_parser("document", help="write a paper of a recommendation")
    _request(document, lines=False)
    document.add_argument("--document", metavar="KIND", default="budget-estimate", help=PAPERS)
    document.add_argument("--output", type=Path, required=True, metavar="FILE", help=".pdf, .xlsx or .md")
    price_options(
        commands.add_parser("prices", help="ages of prices; quotations, rental prices, exchange rate"),
        _Parser,
        _common,
    )
    measurement_options(
        commands.add_parser(
            "measurements", help="your own measurements: they shift the estimate of that card"
        ),
        _Parser,
        _common,
    )
    _pages(commands.add_parser("help", help="a help page, or the names of all"))
    _common(commands.add_parser("doctor", help="what is installed and what this machine has"))


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parsed arguments; leaves the process with code 2 on wrong usage."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    opens_window = all(word in OPENING for word in words)
    root = parser(commands=not opens_window)
    options = root.parse_args(words)
    if getattr(options, "jsonl", None) and options.request:
        root.error("REQUEST.json and --jsonl: only one of them")
    if options.command == "recommend" and options.document and not options.pdf:
        root.error("--document needs --pdf FILE")
    return options


def _common(command: argparse.ArgumentParser, root: bool = False) -> None:
    """Options that hold before and after the subcommand: unsaid after it, what was said before it stays."""
    kept: dict[str, Any] = {} if root else {"default": argparse.SUPPRESS}
    command.add_argument("--json", action="store_true", help="print the answer as JSON", **kept)
    command.add_argument("--lang", choices=("zh", "en"), help="language of the texts", **kept)
    command.add_argument(
        "--database", type=Path, metavar="FILE", help="the user's own catalogue entries", **kept
    )


def _request(command: _Parser, has_fields: bool = False, lines: bool = True) -> None:
    command.has_fields = has_fields
    command.add_argument("request", nargs="?", metavar="REQUEST.json", help="a file, or - for standard input")
    if lines:
        command.add_argument(
            "--jsonl", metavar="FILE", help="one request a line, from a file or -; one answer a line"
        )
    _common(command)


def _recommend(command: _Parser) -> None:
    _request(command)
    command.add_argument("--pdf", type=Path, metavar="FILE", help="write a document, by default the proposal")
    command.add_argument(
        "--document", metavar="KIND", help="which document: proposal, budget-estimate, quotation ..."
    )


def _pages(pages: argparse.ArgumentParser) -> None:
    pages.add_argument("page", nargs="?", metavar="PAGE", help="which page; without it, their names")
    pages.add_argument(
        "--refresh",
        action="store_true",
        help="measure and compute the tables of the pages again (developers)",
    )
    pages.add_argument(
        "--held-out", action="store_true", help="with --refresh: the held-out scores too (minutes)"
    )
    _common(pages)


def _validate(scores: argparse.ArgumentParser) -> None:
    scores.add_argument("kind", choices=(*KINDS_TO_FIT, ALL_KINDS))
    scores.add_argument("--markdown", action="store_true", help="as Markdown tables")
    scores.add_argument("--held-out", action="store_true", help="each source by a fit without it (minutes)")
    _common(scores)
