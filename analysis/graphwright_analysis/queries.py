"""Answers about a project, each kept until something that it was based on has another answer.

A question is a function of the project's sources and of arguments. While one is answered, the
questions that it asks are recorded with their answers. Once something may have changed, these are asked again: if all
answers are the same, so is the answer based on them. What asks nothing, such as the state of a file on the disk, is
looked at again.

The runs of files aren't questions, because files may import each other in circles: `linking` compares their results.
What they ask besides is recorded here.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from .user_files import Unreadable

MOST_ANSWERS = 20_000
"""The number of answers to one question that are kept."""

Asked = tuple[Callable[..., Any], tuple[Any, ...]]
"""A question and its arguments."""

P = ParamSpec("P")
R = TypeVar("R")
Q = TypeVar("Q", bound="Queries")

_REVISIONS = itertools.count()


def question(most: int = MOST_ANSWERS) -> Callable[[Callable[Concatenate[Q, P], R]], Callable[Concatenate[Q, P], R]]:
    """Make a function or method a question: its answers are recorded by who asks, and as many as these are kept."""
    return lambda function: _recording(function, most, of_layout=False)


def recorded(
    of_layout: bool = False,
) -> Callable[[Callable[Concatenate[Q, P], R]], Callable[Concatenate[Q, P], R]]:
    """Make a function or method a question whose answers are recorded by who asks, but not kept: they are known anyway.

    What is only `of_layout` has the same answer as long as imports lead to the same files.
    """
    return lambda function: _recording(function, 0, of_layout)


def _recording(function: Callable[Concatenate[Q, P], R], most: int, of_layout: bool) -> Callable[Concatenate[Q, P], R]:
    @functools.wraps(function)
    def ask(queries: Q, *arguments: P.args, **named: P.kwargs) -> R:
        assert not named, "a question is asked with its arguments in order"
        value = queries.answer(ask, function, arguments, most) if most else function(queries, *arguments, **named)
        if (record := queries.record) is not None:
            (record.of_layout if of_layout else record.of_texts)[ask, arguments] = value
        return value

    return ask


class Answers:
    """Questions that were asked, with their answers."""

    __slots__ = ("layout", "of_layout", "of_texts", "revision")

    def __init__(self, revision: int = -1, layout: int = -1) -> None:
        self.of_texts: dict[Asked, Any] = {}
        self.of_layout: dict[Asked, Any] = {}
        self.revision, self.layout = revision, layout
        """The last ones in which these were the answers."""

    def __bool__(self) -> bool:
        return bool(self.of_texts or self.of_layout)

    def add(self, other: Answers) -> None:
        """Add what else was asked."""
        self.of_texts.update(other.of_texts)
        self.of_layout.update(other.of_layout)


class Queries:
    """Answers questions about one project.

    If it is `still`, nothing changes while it is used, so what an answer is based on isn't kept.
    """

    def __init__(self, still: bool = False) -> None:
        self.still = still
        self.revision = self.layout = next(_REVISIONS)
        """Numbers that no other project has: one changes once anything may have changed, the other once imports may
        lead to different files.
        """
        self._none = Answers(self.revision, self.layout)
        self._answers: dict[Callable[..., Any], dict[tuple[Any, ...], tuple[Any, Answers]]] = {}
        """The answer to each question, and what it is based on."""
        self.record: Answers | None = None
        """What the question that is being answered has asked."""

    def note_changes(self, of_layout: bool) -> None:
        """Note that texts may have changed, or also where imports lead."""
        self.revision = next(_REVISIONS)
        if of_layout:
            self.layout = self.revision
        self._none = Answers(self.revision, self.layout)

    def answer(self, ask: Callable[..., R], function: Callable[..., R], arguments: tuple[Any, ...], most: int) -> R:
        """The answer to a question: the known one if it still holds."""
        answers = self._answers.get(ask)
        if answers is None:
            answers = self._answers[ask] = {}
        known = answers.get(arguments)
        if known is not None and self._is_current(known[1]):
            return known[0]
        with self.recording() as based_on:
            value = function(self, *arguments)
        if known is not None and known[0] == value:
            value = known[0]
        answers[arguments] = value, based_on if based_on else self._none
        if len(answers) > most:
            for oldest in [*itertools.islice(answers, most // 2)]:
                del answers[oldest]
        return value

    def _is_current(self, based_on: Answers) -> bool:
        # What is based on nothing is looked at again.
        return based_on.revision == self.revision or (bool(based_on) and self.are_current(based_on))

    def are_current(self, answers: Answers) -> bool:
        """True if all these questions have the same answers now."""
        if answers.revision != self.revision:
            if self.still:
                return False
            if answers.layout != self.layout and not self._are_equal_now(answers.of_layout):
                return False
            answers.layout = self.layout
            if not self._are_equal_now(answers.of_texts):
                return False
            answers.revision = self.revision
        return True

    def _are_equal_now(self, answers: Mapping[Asked, Any]) -> bool:
        outer, self.record = self.record, None
        try:
            # In their order: what was asked later may make sense only because of the earlier answers.
            for (ask, arguments), value in answers.items():
                now = ask(self, *arguments)
                if now is not value and now != value:
                    return False
        except Unreadable:
            return False
        finally:
            self.record = outer
        return True

    @contextmanager
    def recording(self, answers: Answers | None = None) -> Generator[Answers]:
        """Record what is asked within this context, and its answers; who asks around it doesn't depend on that.

        Unless it fails: who handles that depends on what led to it.
        """
        outer, inner = self.record, Answers() if answers is None else answers
        self.record = None if self.still else inner
        try:
            yield inner
            inner.revision, inner.layout = self.revision, self.layout
        except BaseException:
            if outer is not None:
                outer.add(inner)
            raise
        finally:
            self.record = outer
