"""Installed packages that are made for TensorFlow are looked into; nothing of them is run, and the others stay dark."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from graphwright_analysis import Import, Project, Range, Settings, inlay_hints
from graphwright_analysis.installed import Installed

PACKAGE = {
    "__init__.py": "from .kinds import Layer as Base\nfrom .tools import compiled, deep, halved\n",
    "kinds.py": "import tensorflow as tf\n\n\nclass Layer(tf.keras.layers.Layer):\n    pass\n",
    "tools.py": """\
import tensorflow as tf


def compiled(function):
    return tf.function(function)


def halved(x):
    return tf.cast(x, tf.float32) / 2.0


def deep(x):
    for a in range(20):
        for b in range(20):
            for c in range(20):
"""
    + "                x = [x, [a, [b, [c, {1: a, 2: b, 3: c}, a + b + c, a * b * c]]]]\n" * 20
    + "    return x\n",
}
USER = """\
import tensorflow as tf
import helpers
from helpers import Base, compiled


class Mine(Base):
    def call(self, x):
        return tf.zeros([2]) + x


@compiled
def step(x):
    y = helpers.halved(x)
    if tf.reduce_sum(y) > 0:
        z = y
    return z


def main():
    helpers.deep(1)
    step(tf.constant([1, 2]))
    after = Mine()(tf.constant([1.0, 2.0]))
    return after


main()
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    site = tmp_path / "site-packages"
    install(site, "tf-helpers", "helpers", PACKAGE, "Requires-Dist: tensorflow>=2.16; extra == 'tf'\n")
    return site


def install(site: Path, name: str, module: str, files: dict[str, str], needs: str) -> None:
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\n{needs}\nNot for tensorflow alone.\n")
    (info / "RECORD").write_text("".join(f"{module}/{each},,\n" for each in files) + f"{info.name}/METADATA,,\n")
    for each, text in files.items():
        (site / module).mkdir(exist_ok=True)
        (site / module / each).write_text(text)


def opened(folder: Path, text: str, site: Path, settings: Settings | None = None) -> tuple[Project, str]:
    project, path = Project(folder, settings or Settings(), packages=[site]), str(folder / "user.py")
    project.set_text(path, text)
    return project, path


def test_bases_decorators_and_functions_of_a_package_are_known(packages: Path, tmp_path: Path):
    project, path = opened(tmp_path, USER, packages)
    assert [each.rule for each in project.check(path)] == ["undefined-in-branch"]
    shown = [hint.label.replace(" →", ":") for hint in inlay_hints(project, path, Range(0, len(USER)))]
    # What comes after the call that takes too many steps is known as well.
    assert shown == [": float32[2]", ": float32[2]", ": int32[2]", ": float32[2]", "graph", *[": float32[2]"] * 2]
    off = opened(tmp_path, USER, packages, Settings(follow_packages=False))
    assert off[0].check(off[1]) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_regular_file_in_a_package_is_left_alone(packages: Path, tmp_path: Path):
    for stub in ("__init__", "kinds", "tools"):
        os.mkfifo(packages / "helpers" / f"{stub}.pyi")
    info = packages / "blocking-1.0.dist-info"
    info.mkdir()
    os.mkfifo(info / "METADATA")
    code = (
        "import sys\nfrom pathlib import Path\nfrom graphwright_analysis import Project, Settings\n"
        "project = Project(Path(sys.argv[1]), Settings(), packages=[Path(sys.argv[2])])\n"
        "project.set_text('user.py', sys.argv[3])\nprint(*[each.rule for each in project.check('user.py')])"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(packages), USER]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("undefined-in-branch\n", "")


@pytest.mark.parametrize("damage", ["text", "another pickle", "a folder", "no folder", "no permissions"])
def test_what_jedi_has_stored_may_be_damaged(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
):
    cache = tmp_path / "cache"
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(cache))
    code = (
        "import sys\nfrom pathlib import Path\nfrom graphwright_analysis import Import\n"
        "from graphwright_analysis.installed import Installed\n"
        "print(Installed((sys.argv[1],)).destination_of(Import('helpers', 0, 'Base'))[1])"
    )

    def asked() -> tuple[str, str]:
        done = subprocess.run([sys.executable, "-c", code, str(packages)], capture_output=True, text=True, timeout=60)
        return done.stdout, done.stderr

    assert asked() == ("Layer\n", "")
    (version,) = (folder for folder in (cache / "jedi").iterdir() if folder.is_dir())
    trees = [*version.iterdir()]
    assert trees
    if damage == "no permissions":
        version.chmod(0)
    elif damage == "no folder":
        shutil.rmtree(cache / "jedi")
        (cache / "jedi").write_text("")
    else:
        for tree in trees:
            tree.unlink()
            tree.mkdir() if damage == "a folder" else tree.write_bytes(
                b"no pickle" if damage == "text" else pickle.dumps(["another"])
            )
    assert asked() == ("Layer\n", "")
    version.chmod(0o700) if damage == "no permissions" else None


def test_what_is_found_in_a_package_is_nobodys_here(packages: Path, tmp_path: Path):
    (packages / "helpers" / "tools.py").write_text(
        "import tensorflow as tf\n\n\n@tf.function\ndef halved(x):\n    if x > 0:\n        y = x\n    return y\n"
    )
    (packages / "helpers" / "__init__.py").write_text("from .tools import halved\n")
    project, path = opened(tmp_path, "import helpers\n\nhelpers.halved(1.0)\n", packages)
    assert project.run_reports(path).others == {}


@pytest.mark.parametrize(
    ("asked", "leads"),
    [
        (Import("helpers", 0, None), ("helpers/__init__.py", None)),
        (Import("helpers", 0, "kinds"), ("helpers/kinds.py", None)),
        (Import("helpers", 0, "Base"), ("helpers/kinds.py", "Layer")),
        (Import("helpers.tools", 0, "halved"), ("helpers/tools.py", "halved")),
        (Import("helpers", 0, "missing"), None),
        (Import("plain", 0, None), None),
        (Import("numpy", 0, "array"), None),
    ],
)
def test_names_lead_to_where_they_are_defined(
    asked: Import, leads: tuple[str, str | None] | None, packages: Path
) -> None:
    install(packages, "plain", "plain", {"__init__.py": "x = 1\n"}, "Requires-Dist: numpy\n")
    install(packages, "numpy", "numpy", {"__init__.py": "def array(): ...\n"}, "Requires-Dist: tensorflow\n")
    found = Installed((str(packages),)).destination_of(asked)
    assert found == ((None, asked.name) if leads is None else (str(packages / leads[0]), leads[1]))


def test_what_a_package_needs_itself_is_not_followed_from_there(packages: Path, tmp_path: Path):
    install(packages, "plain", "plain", {"__init__.py": "import tensorflow as tf\n\nx = tf.zeros([3])\n"}, "")
    (packages / "helpers" / "__init__.py").write_text("import plain\nfrom plain import x\n\ny = x\n")
    text = "import tensorflow as tf\nfrom helpers import y\n\nz = y\n"
    project, path = opened(tmp_path, text, packages)
    assert inlay_hints(project, path, Range(0, len(text))) == ()


def test_no_python_is_started_and_nothing_is_imported(packages: Path, tmp_path: Path):
    trap = tmp_path / "trap"
    (packages / "helpers" / "__init__.py").write_text(f"open({str(trap)!r}, 'w')\nfrom .native import fast\n")
    (packages / "helpers" / "native.so").write_bytes(b"\x7fELF")
    script = f"""
import subprocess, sys
from pathlib import Path
from graphwright_analysis import Project, Settings

def refuse(*args, **kwargs):
    raise AssertionError("a process was started")

subprocess.Popen.__init__ = refuse
sys.path.insert(0, {str(packages)!r})
project = Project(Path({str(tmp_path)!r}), Settings(), packages=[Path({str(packages)!r})])
head = "import tensorflow as tf\\nfrom helpers import fast\\n"
project.set_text("user.py", head + "\\n@tf.function\\ndef f(x):\\n    return fast(x)\\n")
print(project.check("user.py"), "jedi" in sys.modules, "helpers" in sys.modules, "helpers.native" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "() True False False"
    assert not trap.exists()


def test_a_project_among_the_packages_is_no_package(packages: Path):
    root = packages / "helpers"
    project = Project(root, Settings(), packages=[packages])
    assert not project.sources.is_installed(str(root / "kinds.py"))
    install(packages, "plain", "plain", {"__init__.py": "x = 1\n"}, "")
    assert project.sources.is_installed(str(packages / "plain" / "__init__.py"))
    # What a package's file calls of its own has the steps of a project's, when that file is asked about.
    loops = "    for a in range(20):\n        for b in range(20):\n            for c in range(20):\n"
    work = "                x = [a, [b, [c, {1: a, 2: b, 3: c}, a + b + c, a * b * c]]]\n" * 4
    text = f"import tensorflow as tf\n\n\ndef heavy():\n{loops}{work}    return tf.zeros([2])\n\n\nmade = heavy()\n"
    path = str(packages / "helpers" / "user.py")
    outside = Project(packages.parent, Settings(), packages=[packages])
    outside.set_text(path, text)
    assert outside.sources.is_installed(path)
    shown = [hint.label for hint in inlay_hints(outside, path, Range(0, len(text)))]
    assert shown == [" → float32[2]", ": float32[2]"]


def test_a_project_above_its_environment_has_packages(tmp_path: Path):
    site = tmp_path / ".venv" / "site-packages"
    project = Project(tmp_path, Settings(), packages=[site])
    assert project.sources.is_installed(str(site / "helpers.py"))
    assert not project.sources.is_installed(str(tmp_path / "helpers.py"))
