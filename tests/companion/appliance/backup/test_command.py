"""`gunbai backup` and `gunbai restore`."""

import os
from pathlib import Path

import pytest

from companion.appliance import backing_up, copies
from companion.cli import main
from tests.companion.appliance.backup.copying import NEW, PASS, Capture, copy, given
from tests.companion.appliance.household import put, state_of
from tests.companion.appliance.strangers import copy_of, member


def test_the_command(data: Path, tmp_path: Path, capsys: Capture) -> None:
    stick = str(tmp_path / "stick")
    assert main(["backup", "--to", stick, "--keep", "1"]) == 0
    assert "12 files, verified" in capsys.readouterr().out
    assert main(["backup", "--to", stick]) == 0
    assert "nothing has changed since" in capsys.readouterr().out
    put(data / "games/a.jsonl", NEW)
    os.mkfifo(data / "games/a\n\x1b[31m.jsonl")
    assert main(["backup", "--to", stick, "--keep", "1"]) == 0
    out, err = capsys.readouterr()
    assert "old copies deleted: gunbai-000001-" in out
    assert err == "gunbai: left out: games/a \\u001b[31m.jsonl (not a plain file)\n"
    assert main(["backup"]) == 0
    assert len(backing_up.find_copies(data / "backups")) == 1


def test_a_copy_may_go_through_a_pipe(
    data: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stick, before = tmp_path / "stick", state_of(data)
    assert main(["backup", "--to", "-"]) == 0
    piped = capfdbinary.readouterr().out
    for told in (b"12 files, verified", b"nothing has changed since"):
        monkeypatch.setattr("sys.stdin", given(piped))
        assert main(["backup", "--stdin", "--to", str(stick)]) == 0
        assert told in capfdbinary.readouterr().out
    (data / "games/a.jsonl").unlink()
    monkeypatch.setattr("sys.stdin", given(piped))
    assert main(["restore", "-"]) == 1
    assert b"games/a.jsonl: put back" in capfdbinary.readouterr().out
    assert state_of(data) == before


def test_a_pipe_that_brings_nothing_or_half_a_copy_is_told(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    monkeypatch.setattr("sys.stdin", given(b""))
    assert main(["backup", "--stdin", "--to", str(stick)]) == 0
    assert "no saved games to copy" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", given(copy(tmp_path / "other").read_bytes()[:-20]))
    assert main(["backup", "--stdin", "--to", str(stick)]) == 2
    assert capsys.readouterr().err.startswith("gunbai: standard input: cut off, damaged")
    assert main(["backup", "--stdin", "--to", "-"]) == 2
    assert capsys.readouterr().err == "gunbai: --stdin: needs a folder after --to\n"
    assert not stick.exists()


def test_a_pipe_that_brings_too_much_or_no_copy_of_ours_is_told(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = copy_of({"games/a.jsonl": NEW}, member("games/a.jsonl", PASS))
    monkeypatch.setattr("sys.stdin", given(odd))
    assert main(["backup", "--stdin", "--to", str(tmp_path / "stick")]) == 2
    told = "holds something that doesn't belong in a copy of saved games: 'games/a.jsonl' (there twice)"
    assert capsys.readouterr().err == f"gunbai: standard input: {told}\n"
    monkeypatch.setattr(copies, "MOST_BYTES", len(odd) - 1)
    monkeypatch.setattr("sys.stdin", given(odd))
    assert main(["backup", "--stdin", "--to", str(tmp_path / "stick")]) == 2
    assert capsys.readouterr().err == "gunbai: standard input: too large for a copy of saved games\n"
    assert not (tmp_path / "stick").exists()


def test_where_there_is_nothing_nothing_is_copied(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert main(["backup", "--to", str(tmp_path / "stick")]) == 0
    assert "no saved games" in capsys.readouterr().out
    assert main(["backup", "--to", "-"]) == 0
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "stick").exists()


def test_bad_input_is_one_line(data: Path, capsys: Capture) -> None:
    assert main(["backup", "--keep", "0"]) == 2
    assert capsys.readouterr() == ("", "gunbai: --keep: must be at least 1\n")
