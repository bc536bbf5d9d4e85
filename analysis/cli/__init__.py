"""The command line: what ``gdmj`` does with its arguments.

Each command is a module with ``add_parser`` and ``run``. Modules import numba, polars and matplotlib inside
``run``, so that ``gdmj --help`` answers at once. Results go to stdout, progress and errors to stderr.
Status: 0 done, 1 a line of a batch failed, a replay differs or a run is not whole, 2 wrong input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from analysis.cli import (
    bench,
    check_bot,
    compare,
    demo,
    duel,
    hand,
    merge,
    rare,
    replay,
    report,
    score,
    session,
    simulate,
    tips,
    variants,
    verify,
)
from analysis.cli.common import UsageError

COMMANDS = (
    simulate,
    report,
    compare,
    duel,
    tips,
    session,
    rare,
    demo,
    score,
    hand,
    variants,
    replay,
    verify,
    merge,
    bench,
    check_bot,
)
INTERRUPTED, BROKEN_PIPE = 130, 141

# What a wrong file or argument raises. Named, not imported: most commands load few of these modules.
_EXPECTED = (
    ("sim.rules", "RulesError"),
    ("sim.engine", "PlanError"),
    ("sim.logs", "LogError"),
    ("sim.store", "StoreError"),
    ("sim.user_bots.fault", "BotError"),
    ("analysis.scan", "RunError"),
    ("analysis.compare.arms", "ToggleError"),
    ("analysis.sequence", "UntilError"),
    ("analysis.sprt", "SprtError"),
    ("analysis.saved", "SavedError"),
    ("analysis.splitting", "SplittingError"),
    ("analysis.tips.registry", "TipError"),
)

EPILOG = """\
examples:
  gdmj demo                                    three rule sets, a first report
  gdmj simulate jipinghu --hands 1e6 --out run
  gdmj report run
  gdmj variants show maima
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        _complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(2)


def _complain(message: str) -> None:
    print(f"gdmj: error: {' '.join(message.split())}", file=sys.stderr)


def _expected() -> tuple[type[BaseException], ...]:
    """Classes of the errors that mean wrong input, of the modules loaded so far."""
    found: list[type[BaseException]] = [UsageError, OSError]
    for module, name in _EXPECTED:
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None:
            found.append(kind)
    return tuple(found)


def _describe(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error).strip().split("\n", 1)[0] or type(error).__name__


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of ``gdmj`` with all commands."""
    parser = _Parser(
        prog="gdmj",
        description="Monte Carlo statistics of Guangdong mahjong (广东麻将).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    sub = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for module in COMMANDS:
        module.add_parser(sub)
    return parser


def _run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.version:
        from importlib.metadata import version

        print(f"gdmj {version('gdmj')}")
        return 0
    if args.command is None:
        parser.print_help()
        return 0
    status: int = args.run(args)
    return status


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C (or SIGTERM) end the work cleanly, and a second one end the process at once."""

    def stop(*_: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        # Not print: the signal may have come in the middle of one.
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"\ngdmj: stopping; once more ends at once\n")
        raise KeyboardInterrupt

    numbers = (signal.SIGINT, signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    before = [signal.signal(number, stop) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Chinese still gets an answer
    try:
        with stoppable():
            status = _run(argv)
        sys.stdout.flush()
        return status
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except BrokenPipeError:
        # The reader left (`gdmj ... | head`); keep the interpreter's own flush from failing too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt as stop:
        # A library's late one must not end in a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print(f"gdmj: interrupted: {stop}" if stop.args else "gdmj: interrupted", file=sys.stderr)
        return INTERRUPTED
    except _expected() as error:
        _complain(_describe(error))
        return 2
