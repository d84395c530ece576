"""The harness finds what was planted: each kind of fault, counted as what it is, with the input that caused it."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.__main__ import INPUTS, ended, jobs, main, shares, told
from tests.fuzz.child import Guide, Job
from tests.fuzz.runner import (
    BROKEN,
    FOREIGN,
    HOWS,
    MEMORY,
    SIGNAL,
    TIME,
    Finding,
    HarnessError,
    Tally,
    cut_down,
    run,
    tried,
)
from tests.fuzz.spoil import Stock, made
from tests.fuzz.target import Broken, hold_line
from tests.fuzz.targets import NAMES, target_named
from tests.fuzz.targets.planted import BAD, FAULTS

pytestmark = pytest.mark.long

COUNT = 8
KINDS = {
    "segfault": (SIGNAL, "SIGSEGV"),
    "abort": (SIGNAL, "SIGABRT"),
    "loop": (TIME, "takes too long"),
    "wait": (TIME, "waits for ever"),
    "memory": (MEMORY, "MemoryError"),
    "address": (MEMORY, "MemoryError"),
    "recursion": (FOREIGN, "RecursionError"),
    "foreign": (FOREIGN, "KeyError"),
    "exit": (FOREIGN, "SystemExit"),
    "assert": (FOREIGN, "AssertionError"),
    "promise": (BROKEN, "Broken"),
    "lines": (BROKEN, "Broken"),
    "escape": (BROKEN, "Broken"),
    "silent": (BROKEN, "Broken"),
}


def bad_ones(count: int) -> int:
    """How many of the planted readers' inputs are bad, by the chance of the run's own seed."""
    target, found, first = target_named("planted-none"), 0, 0
    rng, stock = Random(f"1 planted-none {first}"), Stock([b"a seed"])
    for _number in range(count):
        found += made(target.spoil, rng, stock) == BAD
    return found


def test_every_planted_fault_is_of_a_known_kind() -> None:
    assert {*KINDS, "none"} == set(FAULTS)


@pytest.mark.parametrize("fault", KINDS)
def test_a_planted_fault_is_found_and_counted(fault: str) -> None:
    tally, (how, what) = run(Job(f"planted-{fault}", "", count=COUNT)), KINDS[fault]
    assert tally.findings
    assert {finding.how for finding in tally.findings} == {how}
    assert all(finding.what.startswith(what) for finding in tally.findings), tally.findings
    assert {finding.data for finding in tally.findings} <= {BAD, None}
    lives = len(tally.findings) + 1 if how in (SIGNAL, TIME) or fault == "memory" else 1
    assert tally.inputs >= COUNT + 1, "the inputs behind it are read all the same"
    assert tally.inputs <= COUNT + lives, "a seed for each child"


def test_a_sound_reader_breaks_nothing() -> None:
    tally = run(Job("planted-none", "", count=COUNT))
    assert tally.findings == []
    assert (tally.inputs, tally.refused) == (COUNT + 1, bad_ones(COUNT))
    assert tally.read == COUNT + 1 - bad_ones(COUNT)
    assert 0 < tally.peak_kb < 300_000


def test_an_honest_input_has_to_be_read() -> None:
    for name, why in (("refused", "an honest input is refused: no"), ("passed", "an honest input is passed over")):
        found = run(Job(f"planted-{name}-seed", "", count=0)).findings
        assert [finding.how for finding in found] == [BROKEN, BROKEN]
        assert found[0].what == f"Broken: {why}"


def test_a_target_that_does_not_begin_is_no_success() -> None:
    with pytest.raises(HarnessError, match="nothing to begin with"):
        run(Job("planted-unbegun", "", count=1))


@pytest.mark.parametrize("target", ["index", "bundle", "restore"])
def test_a_seed_makes_the_same_inputs_each_time(target: str) -> None:
    first, again, other = (run(Job(target, "", seed=seed, count=5)).digest for seed in (3, 3, 4))
    assert first == again != other


def test_a_finding_is_cut_down() -> None:
    data = b"hay\n" * 300 + b"needle" + b"\nhay" * 200
    (found,) = tried("planted-needle", [data]).findings
    least = cut_down("planted-needle", found)
    assert b"needle" in (least.data or b"")
    assert len(least.data or b"") < 40
    assert cut_down("planted-needle", Finding(BROKEN, "Broken: not this one", "", b"hay")).data == b"hay"


def test_what_was_found_is_told_kept_and_the_status_is_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    well, ill = run(Job("planted-none", "", count=COUNT)), run(Job("planted-promise", "", count=COUNT))
    assert ended([well], tmp_path) == 0
    assert capsys.readouterr().out.endswith(f"fuzz: all well, {well.inputs} inputs\n")
    assert ended([well, ill], tmp_path) == 1
    out = capsys.readouterr().out
    assert "planted-promise: broken promise: 'Broken: this is not so'" in out
    assert out.endswith("fuzz: FAILED\n")
    assert [path.read_bytes() for path in (tmp_path / "planted-promise").iterdir()] == [BAD]


def test_the_table_counts_each_kind_by_itself() -> None:
    tally = Tally("one", inputs=9, refused=4, findings=[Finding(how, "", "", None) for how in (*HOWS, TIME)])
    heading, row = told([tally]).splitlines()
    found = dict(zip(heading.split(), row.split(), strict=False))
    assert {name: found[name] for name in ("signal", "time", "memory", "foreign", "broken")} == {
        **dict.fromkeys(("signal", "memory", "foreign", "broken"), "1"),
        "time": "2",
    }


def test_a_long_run_has_a_million_inputs_over_all_targets() -> None:
    assert INPUTS >= 1_000_000
    given = shares(NAMES, INPUTS)
    assert set(given) == set(NAMES)
    assert sum(given.values()) >= INPUTS
    assert sum(job.count for job in jobs(NAMES, INPUTS, 1)) == sum(given.values())


def test_the_command_runs_the_targets_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clock", "--inputs", "60", "--seed", "2", "--keep", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[0] == "clock"
    with pytest.raises(SystemExit):
        main(["no such target"])


# ---- what leads further -----------------------------------------------------------------------


def walked(way: str) -> str:
    """Return where a way leads, with a turn that few take."""
    if way.startswith("left"):
        return "to the left"
    return "on"


def test_an_input_that_reaches_a_new_line_leads_further() -> None:
    guide = Guide((__file__,))
    before = sys.gettrace()
    ways = ("ahead", "back", "left", "left again", "ahead")
    found = [guide.led_further(lambda way=way: walked(way)) for way in ways]  # type: ignore[misc]
    assert found == [True, False, True, False, False]
    assert sys.gettrace() is before


@pytest.mark.parametrize("text", ["", " ", "a\nb", "\x1b[1m", "\x7f", "\x9b", "a\u2028b", "\ud800", "x" * 30_000])
def test_a_message_that_nobody_can_read_is_none(text: str) -> None:
    with pytest.raises(Broken):
        hold_line(text)
    hold_line("settings.toml: no such key – is “theme” meant?")
