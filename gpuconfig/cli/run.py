"""Dispatch of the subcommands, and the one place where errors become text and exit codes."""

from __future__ import annotations

import argparse
import json
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from gpuconfig.cli.jsonl import Lines, answer_lines, error_object
from gpuconfig.cli.options import Exit
from gpuconfig.cli.requests import read_document
from gpuconfig.engine.estimation.answer import contract
from gpuconfig.engine.estimation.coefficients import MissingCoefficientError
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Translator, load, render, resolve
from gpuconfig.presentation.services import Services
from gpuconfig.settings import LANGUAGE, LanguageChoice


@dataclass(frozen=True)
class Shell:
    """What a command needs: services, where to write, and the reader's language."""

    options: argparse.Namespace
    services: Services
    out: TextIO
    errors: TextIO
    translator: Translator

    def say(self, message: Message) -> str:
        """A message in the reader's language."""
        return render(message, self.translator)

    def shape(self, value: object) -> Any:
        """Dataclasses as the contract's JSON."""
        return contract(value, self.say)

    def print(self, text: str) -> None:
        """A line for people."""
        self.out.write(text + "\n")

    def print_json(self, value: object) -> None:
        """The answer as indented JSON."""
        self.out.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


Command = Callable[[Shell], Exit]


def run(options: argparse.Namespace, services: Services, out: TextIO, errors: TextIO) -> int:
    """Run the chosen subcommand; returns the contract's exit code."""
    choice = LanguageChoice(options.lang) if options.lang else services.settings.get(LANGUAGE)
    shell = Shell(options, services, out, errors, load(resolve(choice)))
    try:
        return _command(options.command)(shell)
    except UserError as error:
        if options.json:
            shell.print_json({"error": error_object(error, shell.say)})
        errors.write(shell.say(error.message) + "\n")
        return Exit.BAD_INPUT
    except MissingCoefficientError as error:
        text = N_(
            "The built catalogue is older than the program ({what}). In a checkout: python3 dev.py setup"
        )
        errors.write(shell.say(Message(text, {"what": str(error)})) + "\n")
        return Exit.BAD_INPUT
    except BrokenPipeError:
        return Exit.DONE
    except KeyboardInterrupt:
        return 130
    except Exception:  # our bug: say so, with what a report needs
        errors.write(traceback.format_exc())
        return Exit.OUR_BUG


def lines_of(
    shell: Shell,
    read: Callable[[object], Any],
    answer: Callable[[Any], Any],
    shape: Callable[[Any], dict[str, object]] | None = None,
) -> Exit:
    """Answer `--jsonl`; a line that meets a fault of ours does not end the run, but its code does say so."""
    lines = Lines(read, answer, shape or shell.shape, shell.say)
    return Exit.OUR_BUG if answer_lines(shell.options.jsonl, lines, shell.out, shell.errors) else Exit.DONE


def document_of(shell: Shell) -> object:
    """The JSON document named on the command line.

    Raises:
        UserError: none was named, or it cannot be read.
    """
    from gpuconfig.engine.provenance.errors import InputError
    from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT

    if not shell.options.request:
        reason = Message(N_("name a file with the request, or - for standard input"))
        raise InputError("missing", "REQUEST.json", None, reason)
    data = read_document(shell.options.request)
    if not isinstance(data, dict):
        raise InputError("wrong_type", shell.options.request, data, NOT_AN_OBJECT)
    return data


def _command(name: str) -> Command:
    from importlib import import_module

    found: Command = import_module(f"gpuconfig.cli.commands.{name}").run
    return found
