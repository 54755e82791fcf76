"""Traces a whole module: its top level first, then every function that nothing has called.

What is called with known arguments is judged by those; the rest by its annotations alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from functools import partial

import gast

from graphwright_analysis.flow import Scope
from graphwright_analysis.stack_space import with_stack_space
from graphwright_analysis.syntax import NAMES_FROM_OUTSIDE, Module
from graphwright_analysis.tracing import python
from graphwright_analysis.tracing.functions import retracing
from graphwright_analysis.tracing.machine import numbering
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.flow_cache import FlowCache, stored_in
from graphwright_analysis.tracing.machine.imports import imports_in
from graphwright_analysis.tracing.machine.links import Exports, Links
from graphwright_analysis.tracing.machine.run import (
    Run,
)
from graphwright_analysis.tracing.machine.starts import ChangeSet, Key, StartRecording
from graphwright_analysis.tracing.machine.state import FileGround
from graphwright_analysis.tracing.machine.surroundings import OF_CLASSES, OF_NAMES, OF_OTHER_FILES, ModuleNames
from graphwright_analysis.values import keras_choice
from graphwright_analysis.values.keras_choice import NO_CHOICE, KerasChoice
from graphwright_analysis.values.tensorflow.tables import NEWEST, Version

from .file_starts import FileStarts, run_block
from .library_changes import (
    NUMPY_BEHAVIOR,
    OTHER_DTYPE,
    TRACING_ON,
    changes_in,
    extended_in,
    switched_off,
)
from .relocating import ToldInFiles
from .traces import Trace


@with_stack_space
def trace_module(
    module: Module,
    flow: FlowCache | None = None,
    links: Links | None = None,
    tensorflow: Version = NEWEST,
    file: str = "",
    shown: bool = False,
    keras: KerasChoice = NO_CHOICE,
) -> Trace:
    """Run a module abstractly; never raises for any tree. What the flow cache remembers isn't run again.

    Where it is to be `shown`, what the file calls outside of a graph alone is run in those that Keras makes as well.
    """
    run = Run(flow if flow is not None else FlowCache(), python, tensorflow=tensorflow)
    links = Links() if links is None else links
    report_blocks = ToldInFiles(module, module.report_blocks, links.report_blocks)
    if not any(name in module.text for name in ("tensorflow", "keras", "graphwright")) and not any(
        links.destination_in_project(file, imported) for _, imported in imports_in(module, run.flow)
    ):
        return Trace((), (), report_blocks)
    own = changes_in(module, run.flow)
    changes = own | links.patched(file)
    memory, starts = run.flow.memory, _run(module, run, links, file, shown, changes | run.flow.memory.extended, keras)
    for _ in range(_LOOKS - 1):
        # What is stored on TensorFlow's classes is there for all code, also for what comes before it in the file.
        if (extended := extended_in(starts)) == memory.extended:
            break
        memory.extended, run = extended, Run(run.flow, python, tensorflow=tensorflow)
        starts = _run(module, run, links, file, shown, changes | extended, keras)
    switched = () if TRACING_ON in own else switched_off(starts)
    return Trace(starts, (*switched, *retracing.summed_up(starts)), report_blocks)


def _run(
    module: Module,
    run: Run,
    links: Links,
    file: str,
    shown: bool,
    changes: frozenset[str],
    keras: KerasChoice,
) -> tuple[StartRecording, ...]:
    """Run a module in which all this is changed of TensorFlow and Keras."""
    run.patched, run.numpy_behavior = changes, NUMPY_BEHAVIOR in changes
    run.keras_converts = keras_choice.converts(keras, changes)
    run.keras_is_foreign = keras_choice.is_foreign(keras, changes)
    run.keras_dtype = None if OTHER_DTYPE in changes else run.keras_dtype
    starred = any(name == "*" for name, _ in imports_in(module, run.flow))
    run.star_import = starred or NAMES_FROM_OUTSIDE in module.text
    memory, ran = run.flow.memory, (module.pieces, shown)
    # This may be given up, and then the surroundings have to be those of the last run still.
    resumes, named = links.resume(memory.used), run.surroundings.names
    frame = _surroundings(run, module, links, file)
    order = memory.order if resumes else ()
    if not order or memory.ran != ran:
        sure = OF_OTHER_FILES | OF_CLASSES
        if run.surroundings.names == named:
            sure |= OF_NAMES
        starts = FileStarts(run, frame, shown, ChangeSet(order, frame.id, sure=sure)).of_file(module)
        memory.order = _remember(run, starts, keep_silent=not shown)
        memory.ran, memory.used = ran, links.used
    return memory.order


@with_stack_space
def exports_of(
    module: Module, flow: FlowCache, links: Links | None = None, tensorflow: Version = NEWEST, file: str = ""
) -> Exports:
    """What running the top level of a module leaves behind for those who import it."""
    run = Run(flow, python, tensorflow=tensorflow, for_importers=True)
    links = Links() if links is None else links
    frame = _surroundings(run, module, links, file)
    exports = Exports(
        frame,
        run.ground.cells,
        run.frames,
        module.starts_of.keys(),
        module.report_blocks,
        run.surroundings.names,
        run.surroundings.stars,
        makers=run.makers,
    )
    links.begun(file, exports)
    _remember(run, (((block.head, None), run_block(run, frame, block, ChangeSet())) for block in module.blocks))
    exports.extended = extended_in(run.flow.memory.starts.values())
    return exports


def _remember(
    run: Run, starts: Iterable[tuple[Key, StartRecording]], keep_silent: bool = False
) -> tuple[StartRecording, ...]:
    """Run the starts and keep what they have seen; of a run that is given up, beside what is left from before.

    Those that only show something are kept, too, if this run shows nothing: the next that does takes them.
    """
    memory, done = run.flow.memory, dict[Key, StartRecording]()
    memory.order = ()
    try:
        for key, seen in starts:
            done[key] = seen
    except BaseException:
        memory.starts = memory.starts | done
        raise
    finally:
        run.surroundings.links = Links()
    silent = {key: seen for key, seen in memory.starts.items() if keep_silent and seen.silent and key not in done}
    memory.starts = silent | done
    memory.edited = {name: seen for name, seen in memory.edited.items() if keep_silent and seen.silent}
    return tuple(done.values())


_LOOKS = 3
"""How often a file is run at most to see what it stores on TensorFlow's classes."""


def _surroundings(run: Run, module: Module, links: Links, file: str) -> Frame:
    """The frame of the module's names; it is the same as long as the file is known, since functions hold on to it."""
    memory = run.flow.memory
    around = memory.surroundings
    around.now = around.ground = FileGround(foreign=links.cells)
    around.traces, around.unfinished_visits, around.links = {}, {}, links
    around.file, around.stars = file, tuple(imported for name, imported in imports_in(module, run.flow) if name == "*")
    pieces = module.pieces
    around.stores = functools.cache(partial(stored_in, pieces, run.flow.stores))
    around.names = frozenset(name for piece in pieces for name in run.flow.names_in(piece))
    told_by_text = (
        run.keras_converts,
        run.keras_is_foreign,
        run.numpy_behavior,
        run.star_import,
        run.keras_dtype,
        run.patched,
    )
    memory.under((around.stars, run.tensorflow, *told_by_text))
    if memory.frame is None:
        node = gast.Module([], [])
        scope = Scope(kind="module", node=node, parent=None, bound=ModuleNames(around))
        memory.frame = Frame(memory.number, scope, module.blocks[0], None, node, file=file)
    run.frames[memory.frame.id] = memory.frame
    run.makers.add(numbering.serial_of(memory.frame.id))
    return memory.frame
