"""The directions between the components, and what must work without TensorFlow, as tests."""

from __future__ import annotations

import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(sys.argv[1], no_cache=True))"


def test_every_import_contract_is_kept():
    # In a process of its own: it takes the terminal over. Its cache has called a broken contract kept.
    command = [sys.executable, "-c", LINT, str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 21 kept, 0 broken." in done.stdout


UPWARD = {"tracing/machine/interpreter.py"}
"""The protocol by which the rooms of the tracing that are below the evaluator ask it."""


def test_no_protocol_and_no_weak_reference_hides_a_call_upward():
    package = ROOT / "analysis" / "graphwright_analysis"
    texts = {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
    assert {name for name, text in texts.items() if "Protocol)" in text or "(Protocol" in text} == UPWARD
    assert {name for name, text in texts.items() if "weakref.proxy" in text or "weakref.ref(" in text} == set()


def modules_without_tensorflow() -> list[str]:
    """Every module of ours but the converter's runtime and agent, which need TensorFlow or the user's environment."""
    import graphwright
    import graphwright_analysis
    import graphwright_server

    found: list[str] = []
    for package in (graphwright_analysis, graphwright, graphwright_server):
        found.append(package.__name__)
        found += [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if not name.startswith(("graphwright.runtime", "graphwright.agent"))]


BLOCKED = """
import importlib, json, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"tensorflow", "keras", "numpy"}:
            raise ImportError(f"{name} is blocked in this test")

sys.meta_path.insert(0, Block())
failed = {}
for name in json.loads(sys.argv[1]):
    if name.endswith("__main__"):
        continue
    try:
        importlib.import_module(name)
    except BaseException as problem:
        failed[name] = repr(problem)
print(json.dumps(failed))
"""


def test_everything_else_imports_with_tensorflow_blocked():
    names = modules_without_tensorflow()
    assert len(names) > 40
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, json.dumps(names)], capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(done.stdout) == {}


@pytest.mark.parametrize("unwanted", ["pygls", "lsprotocol", "tensorflow", "jedi", "numpy"])
def test_the_version_costs_no_heavy_import(unwanted: str):
    code = "import sys; sys.argv[1:] = ['--version']\ntry:\n    from graphwright_server.cli.main import main; main()\n"
    code += f"except SystemExit:\n    pass\nassert {unwanted!r} not in sys.modules, 'imported'"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("graphwright ")


def test_importing_the_converter_loads_only_its_door():
    code = "import sys; before = set(sys.modules); import graphwright; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    ours = {name for name in done.stdout.split() if name.startswith("graphwright")}
    assert ours == {"graphwright", "graphwright_analysis", "graphwright_analysis.version"}
    assert not set(done.stdout.split()) & {"gast", "jedi", "numpy", "tensorflow", "logging", "inspect", "ast"}


def test_the_converters_door_gives_what_it_says():
    import graphwright

    for name in graphwright.__all__:
        if name not in ("set_element_type", "stack"):  # Those are operators, and need TensorFlow.
            assert getattr(graphwright, name) is not None
    with pytest.raises(AttributeError, match="no attribute '__nonsense__'"):
        graphwright.__nonsense__  # noqa: B018


def test_the_door_gives_what_it_says():
    import graphwright_analysis

    for name in graphwright_analysis.__all__:
        assert getattr(graphwright_analysis, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        graphwright_analysis.nonsense  # noqa: B018


def test_a_file_that_is_in_the_cache_costs_no_analysis(tmp_path: Path):
    """Whoever checks what hasn't changed waits for Python to start and for little else."""
    (tmp_path / "clean.py").write_text("import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return x + 1\n")
    (tmp_path / "pyproject.toml").write_text('[tool.graphwright]\nignore = ["python-io-at-trace", "state"]\n')
    code = (
        "import sys\nfrom graphwright_server.cli.main import main\nassert main(['check', '-q', 'clean.py']) == 0\n"
        "print(*sorted(name for name in sys.modules if name.startswith('graphwright_analysis.')))"
    )
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": str(tmp_path / "cache")}
    loaded = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert "graphwright_analysis.tracing" in loaded[0]
    heavy = ("project", "syntax", "flow", "tracing", "rule", "rules", "checking", "ide")
    assert not [name for name in loaded[1] if name.split(".")[1] in heavy]


def test_a_server_says_hello_before_it_loads_the_analysis():
    code = "import sys, graphwright_server.lsp.server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith(("graphwright_analysis.", "gast"))}
    assert loaded <= {
        f"graphwright_analysis.{name}" for name in ("version", "text", "immutability", "diagnostics", "user_files")
    }
