"""Dispatch of the subcommands, and the one place where errors become text and exit codes."""

from __future__ import annotations

import argparse
import errno
import json
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from gpuconfig.cli.jsonl import Lines, answer_lines, error_object
from gpuconfig.cli.options import Exit
from gpuconfig.cli.requests import read_document
from gpuconfig.engine.estimation.answer import contract
from gpuconfig.engine.estimation.coefficients import MissingCoefficientError
from gpuconfig.engine.provenance.errors import DataError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.i18n import Translator, load, render, resolve
from gpuconfig.presentation.services import Services
from gpuconfig.settings import LANGUAGE, LanguageChoice

UNWRITABLE_OUTPUT = "unwritable_output"
"""Code of the one error that standard output cannot tell of."""


class Output:
    """Standard output, whose refusals name it and the reason."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write `text`.

        Raises:
            DataError: a full disk, or an output that was closed before the start.
            BrokenPipeError: the reader has gone.
        """
        self._do(lambda stream: stream.write(text))

    def flush(self) -> None:
        """Hand on what was written; raises as `write`."""
        self._do(lambda stream: stream.flush())

    def _do(self, step: Callable[[TextIO], object]) -> None:
        try:
            if self._stream is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            step(self._stream)
        except BrokenPipeError:
            raise
        except OSError as error:
            values = {"file": Message(N_("standard output")), "reason": refusal(error)}
            raise DataError(
                UNWRITABLE_OUTPUT, Message(N_("{file} cannot be written: {reason}"), values)
            ) from None


@dataclass(frozen=True)
class Shell:
    """What a command needs: services, where to write, and the reader's language."""

    options: argparse.Namespace
    services: Services
    out: Output
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


def run(options: argparse.Namespace, services: Services, out: TextIO | None, errors: TextIO) -> int:
    """Run the chosen subcommand; returns the contract's exit code."""
    choice = LanguageChoice(options.lang) if options.lang else services.settings.get(LANGUAGE)
    shell = Shell(options, services, Output(out), errors, load(resolve(choice)))
    try:
        code = _command(options.command)(shell)
        shell.out.flush()
        return code
    except UserError as error:
        if options.json and error.code != UNWRITABLE_OUTPUT:
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
