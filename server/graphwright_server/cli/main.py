"""The `graphwright` command: parses the arguments and calls a subcommand.

Besides the exit codes it imports the standard library alone, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import exit_codes, streams

_CHECK_EXIT_CODES = (
    "exit codes: 0 nothing found, 1 findings of at least --min-severity, or a file with syntax errors,  2 couldn't run"
)
_SERVERS = ["server"], ["mcp"]
"""They end with their client."""
_FORMAT = "output format (default: text)"
_LEVEL = "lowest level that is logged (default: info)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    streams.prepare()
    if (sys.argv[1:] if arguments is None else arguments)[:1] not in _SERVERS:
        streams.outlive_reader()
    try:
        code = _run(_parsed(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        streams.drop_output()
        return exit_codes.CLEAN
    except OSError as error:
        if not streams.is_failed_output(error):
            raise
        streams.drop_output()
        sys.stderr.write(f"graphwright: can't write the output: {error.strerror}\n")
        return exit_codes.COULD_NOT_RUN
    return code


def _run(options: argparse.Namespace) -> int:
    if options.command == "check":
        from . import check

        return check.run(options)
    if options.command == "coverage":
        from . import coverage

        return coverage.run(options)
    if options.command == "explain":
        from . import explain

        return explain.run(options)
    if options.command == "trace":
        from . import trace

        return trace.run(options)
    if options.command == "verify":
        from . import verify

        return verify.run(options)
    if options.command == "schema":
        from . import schemas

        return schemas.run(options)
    if options.command == "server":
        from . import serve

        return serve.run(options)
    if options.command == "mcp":
        from . import mcp

        return mcp.run(options)
    _parsers()[0].print_help()
    return exit_codes.COULD_NOT_RUN


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command; if one is unknown, print the usage of that command and exit."""
    parser, commands = _parsers()
    try:
        options, unknown = parser.parse_known_args(arguments)
    finally:  # after the help or the version it exits
        sys.stdout.flush()
    if unknown:
        commands.get(options.command, parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    return options


def _parsers() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The parser of the command line, and those of its commands."""
    parser = argparse.ArgumentParser(
        prog="graphwright",
        description="Shows how TensorFlow code behaves inside tf.function, and fixes it.",
    )
    parser.add_argument("--version", action=_PrintVersion)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_check(commands)
    _add_coverage(commands)
    _add_explain(commands)
    _add_trace(commands)
    _add_verify(commands)
    _add_schema(commands)
    _add_server(commands)
    _add_mcp(commands)
    return parser, commands.choices


def _add_check(commands: Any) -> None:
    check = commands.add_parser(
        "check",
        help="check Python files and notebooks",
        description="Reports code that fails or misbehaves inside tf.function. Reads the files; runs none of them.",
        epilog=_CHECK_EXIT_CODES,
    )
    check.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; '-' is standard input (default: .)")
    check.add_argument("--format", choices=("text", "concise", "json", "sarif", "github"), default="text", help=_FORMAT)
    check.add_argument("--select", action="append", metavar="RULES", help="report only these rules or families")
    check.add_argument("--ignore", action="append", metavar="RULES", help="don't report these rules or families")
    check.add_argument("--fix", action="store_true", help="apply safe fixes: those that don't change eager results")
    check.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: also those that may change eager results"
    )
    check.add_argument("--diff", action="store_true", help="show what --fix would change; write nothing")
    check.add_argument("--baseline", metavar="FILE", help="don't report the findings recorded in this file")
    check.add_argument("--no-baseline", action="store_true", help="also report the findings in the baseline")
    check.add_argument(
        "--write-baseline",
        nargs="?",
        const=True,
        metavar="FILE.json",
        help="record all findings in the baseline (default: graphwright-baseline.json)",
    )
    check.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    check.add_argument(
        "--min-severity",
        choices=("error", "warning", "information", "hint"),
        default="warning",
        help="lowest severity that makes the exit code 1 (default: warning)",
    )
    check.add_argument("--statistics", action="store_true", help="print the number of findings per rule")
    check.add_argument("--quiet", "-q", action="store_true", help="print only the findings, without a summary")
    check.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    check.add_argument("--jobs", "-j", type=_count, metavar="N", help="number of processes (default: one per core)")
    check.add_argument("--no-cache", action="store_true", help="don't read or write the cache")
    check.add_argument("--stdin-filename", metavar="NAME", help="file name to report for standard input")
    _add_color(check)


def _add_coverage(commands: Any) -> None:
    coverage = commands.add_parser(
        "coverage",
        help="show how much of each traced function is analyzed",
        description="Lists the traced functions that Graphwright can't analyze completely, with the line and the "
        "reason, and counts how many names in traced functions have a known type.",
    )
    coverage.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: .)")
    coverage.add_argument("--format", choices=("text", "json"), default="text", help=_FORMAT)
    coverage.set_defaults(select=None, ignore=None)
    _add_color(coverage)


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _add_explain(commands: Any) -> None:
    explain = commands.add_parser(
        "explain",
        help="explain a rule, or list all rules or those of a family",
        description="Prints the page of a rule: what it finds, why it matters, how to fix it. Without a rule, lists "
        "all rules.",
    )
    explain.add_argument(
        "rule", nargs="?", metavar="RULE|FAMILY", help="for example undefined-in-branch, or retracing (default: all)"
    )
    explain.add_argument("--format", choices=("text", "json"), default="text", help=_FORMAT)
    _add_color(explain)


def _add_trace(commands: Any) -> None:
    trace = commands.add_parser(
        "trace",
        help="run the code: trace a function and show its graph",
        description="Imports the file and traces one of its functions, in a process with limited time and memory.",
        epilog="exit codes: 0 success, 1 the code failed or exceeded a limit, 2 couldn't run",
    )
    trace.add_argument(
        "target",
        metavar="FILE::FUNCTION",
        help="for example model.py::Model.step; with --html also a recorded run, .graphwright/traces/RUN.json",
    )
    trace.add_argument(
        "--spec",
        action="append",
        metavar="ARGUMENTS",
        help="the arguments, such as 'x=tf.TensorSpec([None, 3], tf.float32), n=3'; repeat it, or use ';', to see what "
        "a retrace costs and why it happens (default: from visible calls and annotations)",
    )
    action = trace.add_mutually_exclusive_group()
    action.add_argument("--time", action="store_true", help="call it, and compare the times of eager and graph calls")
    action.add_argument("--run", action="store_true", help="call it once, and show what it returns")
    trace.add_argument("--svg", metavar="FILE", help="write a picture of the graph")
    trace.add_argument("--html", metavar="FILE", help="write a page with source, traces, graph, operations and times")
    trace.add_argument("--json", action="store_true", help="print the whole report as JSON")
    _add_limits(trace)
    _add_color(trace)


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser(
        "verify",
        help="run the code: compare eager and graph results",
        description="Calls a function eagerly, as tf.function, as gw.function, compiled by XLA and ejected to plain "
        "TensorFlow, importing the module again for each, and compares results, changed arguments and variables, and "
        "printed output. Shows the first value that differs, and the line that computes it.",
        epilog="exit codes: 0 all ways agree, 1 a way differs or the code failed, 2 couldn't run",
    )
    verify.add_argument("target", metavar="FILE::FUNCTION", help="for example model.py::Model.step")
    verify.add_argument(
        "--spec",
        action="append",
        metavar="ARGUMENTS",
        help="the arguments, such as 'x=tf.TensorSpec([None, 3], tf.float32), n=3'; repeat it, or use ';', for more "
        "calls (default: from visible calls and annotations)",
    )
    verify.add_argument(
        "--ways",
        metavar="WAYS",
        help="compare only these, separated by commas: tf.function, gw.function, xla, ejected; then the exit code is "
        "also 1 if one can't run",
    )
    verify.add_argument(
        "--calls",
        type=_count,
        default=3,
        metavar="N",
        help="calls for each set of arguments, with different numbers for each TensorSpec (default: 3)",
    )
    verify.add_argument("--gradients", action="store_true", help="also compare the gradients of floats in the result")
    verify.add_argument("--format", choices=("text", "json"), default="text", help=_FORMAT)
    _add_limits(verify)
    _add_color(verify)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=_positive, default=60.0, metavar="SECONDS", help="time limit (default: 60)")
    parser.add_argument("--memory", type=_count, default=4096, metavar="MB", help="memory limit (default: 4096)")
    parser.add_argument("--python", metavar="PATH", help="the Python that runs the code (default: this one)")


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("must be greater than 0")
    return number


def _add_schema(commands: Any) -> None:
    schema = commands.add_parser(
        "schema",
        help="print the JSON schema of the settings or of the output of check",
        description="Prints a JSON schema, for editors and scripts.",
    )
    schema.add_argument(
        "schema",
        choices=("settings", "output"),
        help="settings: the table [tool.graphwright]; output: what check --format json prints",
    )


def _add_server(commands: Any) -> None:
    server = commands.add_parser(
        "server", help="run the language server", description="Runs the language server, for editors."
    )
    server.add_argument("--stdio", action="store_true", help="communicate over standard input and output (the default)")
    server.add_argument("--log-file", metavar="FILE", help="also write the log to this file")
    server.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="info", help=_LEVEL)
    # Editors that start servers through vscode-languageclient add this one unasked.
    server.add_argument("--clientProcessId", dest="client_process", type=int, help=argparse.SUPPRESS)


def _add_mcp(commands: Any) -> None:
    mcp = commands.add_parser(
        "mcp",
        help="serve coding agents over the Model Context Protocol",
        description="Serves tools for coding agents over standard input and output. They read only files below ROOT.",
    )
    mcp.add_argument("root", nargs="?", default=".", metavar="ROOT", help="the project's folder (default: .)")
    mcp.add_argument("--allow-run", action="store_true", help="also offer the tools that run the project's code")
    mcp.add_argument("--skill", action="store_true", help="print a skill page for agents, and exit")


def _add_color(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="(default: auto)")


class _PrintVersion(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"graphwright {version()}")
        parser.exit(exit_codes.CLEAN)


def version() -> str:
    """The version of the distribution, read without importing the analysis."""
    import importlib.util  # no other command needs them
    import runpy

    spec = importlib.util.find_spec("graphwright_analysis")
    for folder in (spec and spec.submodule_search_locations) or ():
        file = Path(folder) / "version.py"
        if file.is_file():
            return str(runpy.run_path(str(file))["__version__"])
    from graphwright_analysis import __version__

    return __version__
