"""The text that is shown of a conversion, executed as it stands, does what runs does."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import replace

import differential
import pytest
import shown

NOT_SHOWN = tuple(
    f"none_and_undefined.{name}"
    for name in (
        "none_in_an_object_and_a_dict",
        "none_returned_by_a_function",
        "none_under_a_condition_for_functions",
    )
) + (
    "chosen_slots.copies_and_classes",
    "counters.lists_by_key",
    "deques.a_queue_of_work",
    "deques.from_and_to_lists",
    "deques.items_of_it",
    "expressions.places_from_behind",
    "left_loops.replaced_after_it_was_longer",
    "left_loops.returned_or_set_by_a_function",
    "generators.an_iter_method",
    "held_by_modules.items_of_a_modules_dict_that_a_loop_counts",
    "lists_that_begin_again.none_or_a_list_of_a_function",
    "lists_of_two_names.item_under_its_second_name",
    "lists_of_two_names.lists_of_a_dict_that_python_goes_over",
    "lists_of_two_names.longer_in_python_under_its_second_name",
    "lists_of_two_names.slices_cut_in_a_branch",
    "lists_of_two_names.slices_of_what_is_held",
    "missing_keys.got_with_default",
    "objects_in_loops.none_until_a_function_sets_it",
    "objects_in_loops.none_until_a_method_sets_it",
    "text_and_errors.function_that_only_raises_among_two",
    "text_and_errors.functions_that_only_raise",
)
"""Only what runs asks parameters and results for None through the graph, calls special methods of the user's classes
through operators, looks up second names of lists outside of branches and loops, takes items of what may be anything,
copies objects that hold tensors with `copy.deepcopy`, lets functions inside raise when the graph runs, and knows how
the user writes the attributes that loops change.
The shown text is refused there; it gives no other value."""

NOT_REFUSED = (
    "counters.of_which_the_graph_chooses_one",
    "deques.of_which_the_graph_chooses_one",
)
"""Only what runs notes that a key is set by reading it, and which of several names a deque or Counter has."""
IN_PLACE = "changed_in_place"
"""The family of programs where Python runs properties and special methods; only what runs converts and watches them."""

_SUBJECT = differential.Subject(shown.graph)
_PROGRAMS = [program for program in differential.programs() if program.family != IN_PLACE]


@pytest.mark.parametrize("program", _PROGRAMS, ids=str)
def test_the_shown_text_does_the_same(program: differential.Program) -> None:
    # What runs knows what the user calls the results of an `if`; messages of the shown text say "the result".
    found = differential.disagreements(replace(program, refused=program.refused.partition(": ")[0]), _SUBJECT)
    if str(program) in NOT_SHOWN or program.family == "special_methods":
        found = [each for each in found if ": raised " not in each]
    if str(program) in NOT_REFUSED:
        found = [each for each in found if ": should be refused with " not in each]
    assert not found, "\n".join(found)


def test_shown_text_may_be_the_first_to_run() -> None:
    """Nothing has been converted in the process that executes it, and it calls a function that must be."""
    program = textwrap.dedent(
        """
        import graphwright as gw
        import tensorflow as tf

        def sign(x):
            return gw.if_(x > 0, lambda: 1, lambda: -1)

        def shown(x):
            return gw.converted(sign)(x)

        print(int(tf.function(shown, autograph=False)(tf.constant(-2.0))))
        """
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "-1\n"), ran.stderr
