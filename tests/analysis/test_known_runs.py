"""What the last runs of several files say about one file, and which of them must run again."""

from __future__ import annotations

from graphwright_analysis import Diagnostic, KnownRun, KnownRuns, Range, Report, RunReports, Severity


def finding(start: int, message: str, severity: Severity = Severity.WARNING) -> Diagnostic:
    return Diagnostic("some-rule", "consistency", severity, Range(start, start + 1), message)


def runs() -> KnownRuns:
    own = Report((finding(0, "as called by nobody"), finding(5, "always")), ("f", None))
    known = KnownRuns()
    known.put("b", KnownRun(RunReports(own), {"b": 1}))
    told = Report((finding(5, "as called by a", Severity.ERROR),), (None,))
    known.put("a", KnownRun(RunReports(others={"b": told}, called={"b": {"f"}}), {"a": 1, "b": 1}))
    return known


def messages(known: KnownRuns, path: str) -> list[str]:
    return [each.message for each in known.findings(path)]


def test_others_have_a_say_and_the_most_severe_counts():
    known = runs()
    assert messages(known, "b") == ["as called by a"]
    assert known.runners("b") == ["a"]
    assert messages(known, "a") == []


def test_who_is_forgotten_has_no_say():
    known = runs()
    known.forget("a")
    assert messages(known, "b") == ["as called by nobody", "always"]
    assert known.runners("b") == []


def test_a_later_run_takes_the_place_of_an_earlier_one():
    known = runs()
    known.put("a", KnownRun(RunReports(called={"b": {"f"}})))
    assert messages(known, "b") == ["always"]


def test_what_has_another_state_or_is_unknown_must_run():
    known, asked = runs(), list[str]()

    def state_of(path: str) -> object:
        asked.append(path)
        return {"a": 1, "b": 2}[path]

    assert [*known.outdated(["a", "b", "c"], state_of)] == ["a", "b", "c"]
    assert asked == ["a", "b"], "each is looked at once"
    assert [*known.outdated(["a", "b"], lambda path: 1)] == []


def test_some_findings_hinge_on_who_imports_the_file():
    known = KnownRuns()
    own = Report((finding(5, "always"),), (None,), (finding(0, "if nobody imports it"),))
    known.put("a", KnownRun(RunReports(own)))
    known.put("b", KnownRun(RunReports()))
    assert known.hinge_on_importers == {"a"}
    assert messages(known, "a") == ["if nobody imports it", "always"]
    known.imported = {"a"}
    assert messages(known, "a") == ["always"]


def test_what_is_doubted_must_run():
    known = runs()
    known.doubt(["a", "c"])
    assert [*known.outdated(["a", "b", "c"], lambda path: 1)] == ["a", "c"]
    known.put("a", KnownRun(RunReports(), {"a": 1}))
    assert [*known.outdated(["a", "b"], lambda path: 1)] == []
