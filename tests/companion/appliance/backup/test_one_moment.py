"""A backup shows one moment, whatever is written meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from companion.appliance import collecting
from companion.appliance.collecting import CopyContents
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.games.match import Match
from engine.orders.steps import Pass
from intake.files import read_file
from tests.companion.appliance.backup.conftest import NEW, PASS, copied, copy, files_of, put


@contextmanager
def meanwhile(what: Callable[[str], None]) -> Iterator[None]:
    """Something happens just after each file was read."""

    def read(path: str, most: int) -> bytes:
        data = read_file(path, most)
        what(path)
        return data

    with mock.patch("companion.appliance.collecting.read_file", read):
        yield


def test_a_game_that_is_being_played_is_copied_as_it_was_at_one_moment(data: Path, tmp_path: Path) -> None:
    """The players undo while the files are read: the game and what was taken back are of the same moment."""
    match = Match.start(data / "games/played.jsonl", "sengoku-rivers", "red", {})
    for _step in range(3):
        assert match.offer(Pass()).legal
    left = [2]

    def undo(path: str) -> None:
        if path == str(match.path) and left[0]:
            left[0] -= 1
            match.undo()

    with meanwhile(undo):
        files = files_of(copy(tmp_path / "stick"))
    name = f"games/{match.path.name}"
    assert files[name] == match.path.read_bytes()
    assert files[f"{name}.undone"] == match.path.with_name(f"{match.path.name}.undone").read_bytes()
    match.close()


def test_a_game_that_only_grows_while_the_copy_is_written_is_as_it_was(data: Path, tmp_path: Path) -> None:
    number = iter(range(1000))

    def grow(path: str) -> None:
        if path.endswith("a.jsonl") and next(number):  # from when the check values are known
            with Path(path).open("ab") as file:
                file.write(PASS)

    with meanwhile(grow):
        assert files_of(copy(tmp_path / "stick"))["games/a.jsonl"] == NEW + PASS
    assert (data / "games/a.jsonl").read_bytes() == NEW + PASS + PASS


def test_what_is_replaced_again_and_again_while_the_copy_is_written_is_held(data: Path, tmp_path: Path) -> None:
    """A clock is written each minute, and a large copy takes longer: each time it is another, and is copied anyway."""
    clock, number = data / "games/a.jsonl.clock.json", iter(range(1000))

    def tick(path: str) -> None:
        if path == str(data / "games/trash/b.jsonl"):
            storage.atomic_write(clock, b"%d" % next(number))

    with meanwhile(tick):
        files = files_of(copy(tmp_path / "stick"))
    assert int(files["games/a.jsonl.clock.json"]) < next(number)
    assert len(list((tmp_path / "stick").iterdir())) == 1


def test_what_goes_while_the_copy_is_made_is_not_in_it(data: Path, tmp_path: Path) -> None:
    with meanwhile(lambda path: (data / "games/trash/b.jsonl").unlink(missing_ok=True)):
        made = copied(tmp_path / "stick")
    assert made.path is not None
    assert "games/trash/b.jsonl" not in files_of(made.path)
    assert made.left_out == ()


def test_half_a_line_is_left_out_and_what_never_rests_is_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(data / "games/a.jsonl", NEW + b'{"pa')
    assert files_of(copy(tmp_path / "stick"))["games/a.jsonl"] == NEW
    number = iter(range(1000))
    with monkeypatch.context() as patched:
        patched.setattr(collecting, "_states", lambda _paths: next(number))
        with pytest.raises(ApplianceError, match="keeps changing"):
            copied(tmp_path / "other")

    def restless(_found: CopyContents, name: str) -> bytes:
        raise collecting.Restless(name)

    monkeypatch.setattr(CopyContents, "content", restless)
    with pytest.raises(ApplianceError, match="keeps changing"):
        copied(tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []
