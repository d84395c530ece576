"""What measures a start, what compares two machines, and the list of tests for an emulated processor."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import startup
from benchmarks.eye import alike

ROOT = Path(__file__).resolve().parent.parent.parent
READING = {"frame": "a.png", "units": {}, "commanders": {}, "unreadable": [], "confidence": {"a1": 0.9}}


def readings(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def emulated() -> list[str]:
    return (ROOT / "tests" / "emulated.txt").read_text().split()


def test_every_test_for_an_emulated_processor_is_there() -> None:
    assert [path for path in emulated() if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("room", ["intake", "engine", "vision", "hardware", "companion"])
def test_tests_for_an_emulated_processor_cover_every_room(room: str) -> None:
    assert any(path.startswith(f"tests/{room}") for path in emulated())


def test_readings_that_agree_are_alike(capsys: pytest.CaptureFixture[str]) -> None:
    other = {**READING, "confidence": {"a1": 0.8}}
    assert alike.report([READING], [other]) == 0
    assert "0 differences; confidences differ by 0.1 at most" in capsys.readouterr().out


def test_another_count_is_a_difference_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = readings(tmp_path / "here", READING)
    there = readings(tmp_path / "there", {**READING, "units": {"a1": {"red": {"troop": 1}}}})
    assert alike.report(alike.readings(here), alike.readings(there)) == 1
    assert "a.png: units: {} against {'a1'" in capsys.readouterr().out


def test_fewer_pictures_or_none_are_not_alike() -> None:
    assert alike.report([READING], []) == 1
    assert alike.report([], []) == 1


def test_other_pictures_are_not_alike() -> None:
    assert alike.report([READING], [{**READING, "frame": "b.png"}]) == 1


def test_a_start_ends_where_its_next_stage_begins() -> None:
    program = startup.UNTIL + "import json\njson.dumps({})\nprint('too far')\n"
    done = subprocess.run([sys.executable, "-c", program, "json:dumps"], capture_output=True, check=True)
    assert done.stdout == b""
    done = subprocess.run([sys.executable, "-c", program, ""], capture_output=True, check=True)
    assert done.stdout == b"too far\n"


def test_files_that_were_opened_are_found_in_what_strace_says() -> None:
    log = (
        '12 openat(AT_FDCWD, "/lib/libm.so.6", O_RDONLY|O_CLOEXEC) = 3\n'
        '12 openat(AT_FDCWD, "/lib/none", O_RDONLY) = -1 ENOENT (No such file or directory)\n'
        '12 execve("/usr/bin/python3", ["python3"], 0x7ffd /* 9 vars */) = 0\n'
    )
    assert startup.OPENED.findall(log) == ["/lib/libm.so.6", "/usr/bin/python3"]


def test_seconds_follow_from_clock_and_instructions_per_cycle() -> None:
    pi = startup.Pi("Pi", 2.0, (0.5, 1.0), 40.0)
    assert pi.seconds(2e9) == (1.0, 2.0)
