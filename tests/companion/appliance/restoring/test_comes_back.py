"""All of a backup comes back, and the app starts afterwards."""

import gzip
import io
import os
from pathlib import Path

import pytest

from companion.app.app import App
from companion.appliance import backing_up, copies
from companion.cli import main
from companion.settings import layers
from tests.companion.appliance import earlier
from tests.companion.appliance.household import furnish, put, state_of
from tests.companion.appliance.restoring.copies import (
    DIGITS,
    GAMES,
    INDEXES,
    JUNK,
    NESTED,
    NEW,
    ODD_NAMES,
    PASS,
    Capture,
    fates,
    kept,
    restored,
)
from tests.companion.appliance.strangers import Member, copy_of, member
from tests.companion.sample_games import saved

LATIN = os.fsdecode(b"caf\xe9.jsonl")


def test_all_that_the_app_writes_comes_back(data: Path, tmp_path: Path) -> None:
    furnish()
    assert state_of(data).keys() >= INDEXES
    before, chosen = kept(data), layers.chosen_file().read_bytes()
    path = backing_up.back_up(tmp_path / "stick").path
    assert path is not None
    for name in before:
        (data / name).unlink()
    layers.chosen_file().unlink()
    whole = path.read_bytes()
    surveyed = restored(whole)
    assert (set(fates(surveyed).values()), surveyed.left_out) == ({"new"}, ())
    assert kept(data) == before
    assert layers.chosen_file().read_bytes() == chosen
    assert set(fates(restored(whole)).values()) == {"same"}
    assert kept(data) == before


def test_copies_of_the_version_before_are_restored_and_ours_by_it(data: Path, tmp_path: Path) -> None:
    furnish()
    put(data / "games" / LATIN, NEW)
    put(data / "games" / "a\nb.jsonl", NEW)
    put(data / "games" / ("x" * 200 + ".jsonl"), NEW)
    path = backing_up.back_up(tmp_path / "stick").path
    assert path is not None
    files = earlier.read(path.read_bytes())
    assert {name: files[name] for name in kept(data)} == kept(data)
    del files[f"games/{LATIN}"]  # over such a name the version before gave up
    old = earlier.written(files)
    before = kept(data)
    for name in before:
        (data / name).unlink()
    layers.chosen_file().unlink()
    assert set(fates(restored(old)).values()) == {"new"}
    assert {**kept(data), f"games/{LATIN}": NEW} == before
    assert set(fates(restored(path.read_bytes())).values()) == {"new", "same"}
    assert kept(data) == before


def test_the_same_files_make_the_same_bytes_as_before() -> None:
    files = {"games/a.jsonl": b"1" * 200_000, "games/b" * 30: os.urandom(3000), "tags/é.toml": b""}
    out = io.BytesIO()
    copies.write(out, earlier.digests(files), files.__getitem__)
    assert gzip.decompress(out.getvalue()) == gzip.decompress(earlier.written(files))


def hostile() -> bytes:
    """All of the above in one copy."""
    files = {name: text for name, (text, _why) in JUNK.items()}
    files |= dict.fromkeys(ODD_NAMES, NEW)
    files |= {
        copies.CHOSEN: b"a = " + DIGITS,
        "games/a\n\x1b[31m.jsonl": NEW,
        f"games/{LATIN}": NEW,
        "games/A.jsonl": NEW,
    }
    files |= {"games/later.jsonl": saved(steps=3) + b'{"deploy": ' + DIGITS + b"}\n", "games/-rf.jsonl": NEW + NESTED}
    odd = {f"games/odd-{kind.decode()}.jsonl": kind for kind in (b"1", b"2", b"3", b"4", b"5", b"6")}
    more: list[Member] = [member(name, kind=kind) for name, kind in odd.items()]
    return copy_of(files, *more, member("games/-rf.jsonl", PASS), named=dict.fromkeys(odd, b""))


def test_after_a_hostile_copy_the_app_starts_and_copies_again(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "copy.tar.gz", hostile())
    assert main(["restore", str(tmp_path / "copy.tar.gz")]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "games/a \\u001b[31m.jsonl: put back" in out.splitlines()
    assert "games/caf\\udce9.jsonl: put back" in out.splitlines()
    assert "left out: games/x.new-\u00b2 (no file that Gunbai has there)" in out.splitlines()
    put_back = {"a\n\x1b[31m.jsonl", LATIN, "A.jsonl", "later.jsonl", "-rf.jsonl"}
    assert state_of(data).keys() == {f"games/{name}" for name in put_back}
    seen: list[str] = []

    def show(app: App, _size: object) -> int:
        app.tick(0.0)
        seen.append(type(app.scene).__name__)
        return 0

    monkeypatch.setattr("companion.view.window.window.run_window", show)
    assert main(["play"]) == 0
    assert len(seen) == 1
    assert main(["backup"]) == 0


def test_the_command(data: Path, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copy.tar.gz"
    put(path, copy_of(GAMES))
    assert main(["restore", str(path), "--dry-run"]) == 0
    assert capsys.readouterr().out == "games/a.jsonl: put back\ngames/a-2.jsonl: put back\n"
    assert not data.exists()
    assert main(["restore", str(path)]) == 0
    assert (data / "games/a.jsonl").read_bytes() == NEW + PASS


@pytest.mark.parametrize("name", ["no-such-file", "/bin/ls", "/dev/zero", "pipe", "."])
def test_bad_input_is_one_line(name: str, data: Path, tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["restore", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"gunbai: {tmp_path / name}: ")
    assert err.count("\n") == 1
