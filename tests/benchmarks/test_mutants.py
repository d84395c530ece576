"""The benchmark of the tests: which mutants it makes, and what it takes of an earlier run."""

from __future__ import annotations

import json

import pytest

from benchmarks.mutants import kept_outcome, mutants

ONLY = "intake/errors.py"


@pytest.mark.parametrize("number", [0, -1])
def test_none_are_made_of_no_number(number: int) -> None:
    assert not [*mutants(1, number, "intake/text.py")]


@pytest.mark.parametrize("only", ["no/such/module", ONLY])
def test_a_path_without_functions_is_refused(only: str) -> None:
    with pytest.raises(SystemExit, match=f"no module with functions has '{only}'"):
        next(mutants(1, 1, only))


def test_what_was_found_is_taken_of_the_same_mutant_alone() -> None:
    line = json.dumps({"found": "killed", "mutant": "a.py:1 f: a  ->  b"})
    assert kept_outcome(line, "a.py:1 f: a  ->  b") == "killed"
    for other in (line.replace("a.py", "b.py"), line[:20], "{}"):
        with pytest.raises(SystemExit, match="isn't of a run with the same tree"):
            kept_outcome(other, "a.py:1 f: a  ->  b")
