"""The files of published packages that edits are measured in; which packages, and how they come, `archives` says.

They were chosen for what they look like, not for what is found in them: long and short, classes and functions.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from archives import folder_of

GNN = "tensorflow_gnn-1.0.3.data/platlib/tensorflow_gnn"


@dataclass(frozen=True, slots=True)
class RealFile:
    """A file by its package and its path there, and what it stands for."""

    package: str
    path: str
    stands_for: str

    @property
    def folder(self) -> Path:
        return folder_of(self.package)

    @property
    def file(self) -> Path:
        return self.folder / self.path

    @property
    def name(self) -> str:
        return f"{self.package}, {Path(self.path).name}"


REAL_FILES = (
    RealFile("keras-cv", "keras_cv/layers/preprocessing/fourier_mix.py", "a small module: one layer"),
    RealFile("tensorforce", "tensorforce/core/memories/queue.py", "a module that calls a lot"),
    RealFile("tensorflow-gnn", f"{GNN}/converters/ogb/convert_ogb_dataset.py", "a script whose main calls most of it"),
    RealFile(
        "tensorflow-probability",
        "tensorflow_probability/python/experimental/mcmc/snaper_hmc.py",
        "a long program: one function calls most of it",
    ),
    RealFile("tfimm", "tfimm/architectures/resnet.py", "a long module of models"),
    RealFile("tensorflow-probability", "tensorflow_probability/python/bijectors/bijector.py", "a long base class"),
    RealFile("tensorforce", "tensorforce/core/models/tensorforce.py", "one class and nothing else"),
    RealFile("tensorlayer", "tensorlayer/prepro.py", "the longest file: functions"),
)
