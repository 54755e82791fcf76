"""Makes the pictures of the documentation from the screenshots of the end-to-end tests: `make pictures`.

It takes no screenshot itself; the scenarios in `vscode-extension/e2e/scenarios/` do, in a real VS Code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PIL import Image  # pyright: ignore[reportMissingImports]

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
THEMES = ("dark", "light")
LARGEST = 600_000
COLORS = 128
# What is looked at longest is what has something to read; milliseconds.
FRAMES = {
    "typing-0": 900,
    "typing-1": 500,
    "typing-2": 500,
    "typing-3": 500,
    "typing-4": 1_200,
    "finding": 4_000,
    "quick-fixes": 2_500,
    "fixed": 2_500,
}
# A picture's name, its scenario, the name of the shot there, and the part of the window that it shows.
STILLS = (
    ("finding", "tour", "finding", None),
    ("quick-fixes", "tour", "quick-fixes", None),
    ("hints", "hints", "hints", (350, 40, 1150, 740)),
    ("preview", "preview", "marked", (350, 40, 1400, 760)),
    ("graph", "trace", "picture", (350, 40, 1400, 860)),
)


def main(folder: Path) -> int:
    """Write every picture; the exit code is 1 if one is too large for a page."""
    PICTURES.mkdir(exist_ok=True)
    for theme in THEMES:
        for name, scenario, shown, part in STILLS:
            with Image.open(shots_of(folder, scenario, theme)[shown]) as shot:
                few_colors(shot.crop(part) if part else shot).save(PICTURES / f"{name}-{theme}.png", optimize=True)
        animate(shots_of(folder, "tour", theme), PICTURES / f"tour-{theme}.gif")
    large = [path for path in PICTURES.iterdir() if path.stat().st_size > LARGEST]
    for path in large:
        print(f"{path.name} is too large: {path.stat().st_size} bytes")
    return 1 if large else 0


def shots_of(folder: Path, scenario: str, theme: str) -> dict[str, Path]:
    """The screenshots by what they show: `tour-dark-6-finding.png` shows the finding."""
    found = ((re.fullmatch(rf"{scenario}-{theme}-\d+-(.+)", path.stem), path) for path in folder.glob("*.png"))
    return {match.group(1): path for match, path in found if match}


def few_colors(shot: Image.Image) -> Image.Image:
    """A screenshot of text needs no more: a third of the size, and no difference to see."""
    return shot.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)


def animate(shots: dict[str, Path], target: Path) -> None:
    """One animated picture that begins again for ever."""
    frames = [few_colors(Image.open(shots[name])) for name in FRAMES]
    frames[0].save(
        target, save_all=True, append_images=frames[1:], duration=list(FRAMES.values()), loop=0, optimize=True
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
