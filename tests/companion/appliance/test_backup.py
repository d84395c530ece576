"""`gunbai backup` and `gunbai restore`: copies that are whole, that fill no disk, and that overwrite no newer game."""

import gzip
import io
import json
import os
import random
import tarfile
import zlib
from collections import namedtuple
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from companion import settings, storage
from companion.appliance import backing_up, copies, owners, restoring
from companion.appliance.backing_up import back_up
from companion.cli import main
from companion.errors import ApplianceError
from companion.match import Match
from engine.orders.steps import Pass

Capture = pytest.CaptureFixture[str]
DAY = date(2026, 11, 21)
NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'
PASS = b'{"pass": true}\n'
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a game, what lies beside it, a board, a table, tags and choices."""
    folder = tmp_path / "data"
    monkeypatch.setenv("GUNBAI_DATA", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    for name, text in {
        "games/a.jsonl": NEW + PASS,
        "games/a.jsonl.undone": b"{}\n",
        "games/a.jsonl.clock.json": b"{}",
        "games/trash/b.jsonl": NEW,
        "games/labels.json": b"{}",
        "boards/own.text": b"x",
        "decks/foxes.text": b"d",
        "decks/drafts/owls.json": b"{}",
        "scenarios/ford.text": b"s",
        "tables/sengoku-rivers.table": b"\x00table",
        "tags/sengoku.toml": b"",
    }.items():
        put(folder / name, text)
    put(settings.chosen_file(), b'language = "pt_BR"\n')
    return folder


def put(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


def state_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def copy(folder: Path, kept: int = 14) -> Path:
    copied = back_up(folder, kept, DAY)
    assert copied is not None
    return copied.path


def restore(path: Path) -> dict[str, str]:
    """Restore a copy: what became of each file."""
    files = copies.read(path)
    planned = restoring.plans(files)
    restoring.restore(files, planned)
    return {plan.name: plan.fate for plan in planned}


# ---- copying ------------------------------------------------------------------------------------------------------


def test_everything_that_counts_is_copied(data: Path, tmp_path: Path) -> None:
    put(data / "games/a.jsonl.evidence/turn.jpg", b"large")
    put(data / "games/index.json", b"{}")
    put(data / "games/a.jsonl.new-123", b"half")
    put(data / "demo/game.jsonl", NEW)
    (data / "games/link.jsonl").symlink_to("/etc/passwd")
    path = copy(tmp_path / "stick")
    assert path.name == "gunbai-000001-2026-11-21.tar.gz"
    assert copies.read(path) == {
        "games/a.jsonl": NEW + PASS,
        "games/a.jsonl.undone": b"{}\n",
        "games/a.jsonl.clock.json": b"{}",
        "games/trash/b.jsonl": NEW,
        "games/labels.json": b"{}",
        "boards/own.text": b"x",
        "decks/foxes.text": b"d",
        "decks/drafts/owls.json": b"{}",
        "scenarios/ford.text": b"s",
        "tables/sengoku-rivers.table": b"\x00table",
        "tags/sengoku.toml": b"",
        "settings/chosen.toml": b'language = "pt_BR"\n',
    }


def test_where_nothing_changed_nothing_is_written(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    before = path.stat().st_mtime_ns
    again = back_up(tmp_path / "stick", today=date(1970, 1, 1))
    assert again is not None
    assert (again.path, again.made) == (path, False)
    assert path.stat().st_mtime_ns == before
    put(data / "games/a.jsonl", NEW)
    assert copy(tmp_path / "stick").name == "gunbai-000002-2026-11-21.tar.gz"


def test_a_damaged_last_copy_is_made_anew(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    path.write_bytes(path.read_bytes()[:-20])
    assert copy(tmp_path / "stick").name.startswith("gunbai-000002-")


def test_old_copies_are_thinned_by_their_numbers(data: Path, tmp_path: Path) -> None:
    put(tmp_path / "stick/holiday.tar.gz", b"somebody else's")
    for number in range(5):
        put(data / "games/a.jsonl", NEW + PASS * number)
        copied = back_up(tmp_path / "stick", 3, date(2026 - number, 1, 1))
        assert copied is not None
        assert copied.made
    assert [path.name[7:13] for path in backing_up.found(tmp_path / "stick")] == ["000003", "000004", "000005"]
    assert (tmp_path / "stick/holiday.tar.gz").exists()


def full(free: Callable[[Path], int]) -> Callable[[Path], Usage]:
    return lambda folder: Usage(10**9, 0, free(folder))


def test_old_copies_make_room_and_the_last_one_stays(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    for number in range(4):
        put(data / "games/a.jsonl", NEW + PASS * number)
        copy(stick)
    room = backing_up.SPARE_BYTES + 100_000
    monkeypatch.setattr("shutil.disk_usage", full(lambda _folder: room if len(list(stick.iterdir())) <= 2 else 0))
    put(data / "games/a.jsonl", NEW)
    copied = back_up(stick, 14, DAY)
    assert copied is not None
    assert [name[7:13] for name in copied.gone] == ["000001", "000002"]
    monkeypatch.setattr("shutil.disk_usage", full(lambda _folder: 1))
    put(data / "games/a.jsonl", NEW + PASS)
    with pytest.raises(ApplianceError, match="nearly full"):
        back_up(stick, 14, DAY)
    assert [path.name[7:13] for path in backing_up.found(stick)] == ["000005"]


def test_a_copy_that_reads_otherwise_is_none(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create = storage.create

    def worn_out(path: Path, written: bytes) -> None:
        create(path, written[:-9] + bytes(9))

    monkeypatch.setattr(storage, "create", worn_out)
    with pytest.raises(ApplianceError, match="cut off, damaged"):
        back_up(tmp_path / "stick", 14, DAY)
    assert list((tmp_path / "stick").iterdir()) == []


def test_a_game_that_is_being_played_is_copied_as_it_was_at_one_moment(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players undo while the files are read: the game and what was taken back are of the same moment."""
    match = Match.start(data / "games/played.jsonl", "sengoku-rivers", "red", {})
    for _step in range(3):
        assert match.offer(Pass()).legal
    read, left = backing_up._bytes, [2]

    def meanwhile(path: Path) -> bytes:
        got = read(path)
        if path == match.path and left[0]:
            left[0] -= 1
            match.undo()
        return got

    monkeypatch.setattr(backing_up, "_bytes", meanwhile)
    files = copies.read(copy(tmp_path / "stick"))
    name = f"games/{match.path.name}"
    assert files[name] == match.path.read_bytes()
    assert files[f"{name}.undone"] == match.path.with_name(f"{match.path.name}.undone").read_bytes()
    match.close()


def test_half_a_line_is_left_out_and_what_never_rests_is_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(data / "games/a.jsonl", NEW + b'{"pa')
    assert copies.read(copy(tmp_path / "stick"))["games/a.jsonl"] == NEW
    number = iter(range(1000))
    monkeypatch.setattr(backing_up, "_states", lambda _paths: next(number))
    with pytest.raises(ApplianceError, match="changes all the time"):
        back_up(tmp_path / "stick", 14, DAY)


# ---- restoring ----------------------------------------------------------------------------------------------------


def test_all_comes_back_where_all_is_gone(data: Path, tmp_path: Path) -> None:
    before, chosen = state_of(data), settings.chosen_file().read_bytes()
    path = copy(tmp_path / "stick")
    for name in before:
        (data / name).unlink()
    settings.chosen_file().unlink()
    assert set(restore(path).values()) == {"new"}
    assert state_of(data) == before
    assert settings.chosen_file().read_bytes() == chosen
    assert set(restore(path).values()) == {"same"}
    assert state_of(data) == before


@pytest.mark.parametrize(
    ("here", "fate", "after"),
    [
        (NEW + PASS + PASS, "newer here", {"a.jsonl": NEW + PASS + PASS}),
        (NEW, "longer in the copy", {"a.jsonl": NEW + PASS, "a.jsonl.broken-1": NEW}),
        (NEW + b'{"accept": true}\n', "both", {"a.jsonl": NEW + b'{"accept": true}\n', "a-2.jsonl": NEW + PASS}),
        (NEW + PASS, "same", {"a.jsonl": NEW + PASS}),
    ],
)
def test_no_newer_game_is_overwritten(
    data: Path, tmp_path: Path, here: bytes, fate: str, after: dict[str, bytes]
) -> None:
    path = copy(tmp_path / "stick")
    put(data / "games/a.jsonl", here)
    assert restore(path)["games/a.jsonl"] == fate
    games = state_of(data / "games")
    assert {name: games[name] for name in after} == after
    assert ("a-2.jsonl.undone" in games) == (fate == "both")


def test_other_things_that_differ_stay(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    put(data / "boards/own.text", b"mine")
    assert restore(path)["boards/own.text"] == "kept"
    assert (data / "boards/own.text").read_bytes() == b"mine"


def test_a_game_that_is_being_played_is_not_replaced(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    put(data / "games/a.jsonl", NEW)
    with (data / "games/a.jsonl").open("rb") as file:
        assert storage.lock(file.fileno())
        with pytest.raises(ApplianceError, match="is being played"):
            restore(path)
    assert (data / "games/a.jsonl").read_bytes() == NEW


# ---- copies of strangers ------------------------------------------------------------------------------------------


def packed(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for member, text in members:
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
    return out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "/etc/passwd"
    return info


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("../evil", tarfile.REGTYPE),
        ("/etc/evil", tarfile.REGTYPE),
        ("games/../../evil", tarfile.REGTYPE),
        ("games/.hidden", tarfile.REGTYPE),
        ("games", tarfile.REGTYPE),
        ("else/a", tarfile.REGTYPE),
        ("games/a.jsonl", tarfile.SYMTYPE),
        ("games/a.jsonl", tarfile.LNKTYPE),
        ("games/a", tarfile.DIRTYPE),
    ],
)
def test_a_malicious_copy_is_refused(name: str, kind: bytes) -> None:
    manifest = {"what": copies.WHAT, "format": copies.FORMAT, "files": {}}
    head = (member(copies.MANIFEST), json.dumps(manifest).encode())
    with pytest.raises(ApplianceError, match="holds what no copy of saved games holds"):
        copies.from_bytes(packed([head, (member(name, kind), b"")]))


def test_a_file_of_less_than_no_bytes_is_refused_before_the_next_one_is_looked_for() -> None:
    info = member("games/a.jsonl")
    info.size = -512
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(ApplianceError):
        copies.from_bytes(gzip.compress(bytes(head) + bytes(1024)))


def test_a_file_that_is_there_twice_is_refused() -> None:
    twice = [(member("games/a.jsonl"), b"1\n"), (member("games/a.jsonl"), b"2\n")]
    with pytest.raises(ApplianceError, match="holds a file twice"):
        copies.from_bytes(packed(twice))


@pytest.mark.parametrize("text", [b"", b"null", b"[" * 100_000, b'{"what": "gunbai backup", "format": 2, "files": {}}'])
def test_a_copy_without_a_sound_manifest_is_none(text: bytes) -> None:
    with pytest.raises(ApplianceError, match="no copy of saved games"):
        copies.from_bytes(packed([(member(copies.MANIFEST), text)]))


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_BYTES", 10_000)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    with pytest.raises(ApplianceError, match="larger than any copy"):
        copies.from_bytes(packer.compress(bytes(100_000)) + packer.flush())
    monkeypatch.setattr(copies, "MOST_BYTES", 100_000)
    monkeypatch.setattr(copies, "MOST_FILES", 3)
    with pytest.raises(ApplianceError, match="too many files"):
        copies.from_bytes(copies.to_bytes({f"games/{number}": b"" for number in range(4)}))


def test_whatever_is_cut_or_changed_is_refused(data: Path) -> None:
    whole = copies.to_bytes(backing_up.collect())
    chance = random.Random(6)
    for number in range(200):
        broken = bytearray(whole)
        if number % 2:
            broken = broken[: chance.randrange(len(broken))]
        else:
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        with suppress(ApplianceError):  # a byte of gzip's head that nothing depends on
            assert copies.from_bytes(bytes(broken)) == copies.from_bytes(whole)


# ---- the commands -------------------------------------------------------------------------------------------------


def test_the_commands(data: Path, tmp_path: Path, capsys: Capture) -> None:
    stick = str(tmp_path / "stick")
    assert main(["backup", "--to", stick, "--keep", "1"]) == 0
    assert "12 files, read again" in capsys.readouterr().out
    assert main(["backup", "--to", stick]) == 0
    assert "nothing has changed since" in capsys.readouterr().out
    put(data / "games/a.jsonl", NEW)
    assert main(["backup", "--to", stick, "--keep", "1"]) == 0
    assert "thinned out: gunbai-000001-" in capsys.readouterr().out
    (data / "games/a.jsonl").unlink()
    path = str(backing_up.newest(Path(stick)))
    assert main(["restore", path, "--dry-run"]) == 0
    assert "games/a.jsonl: put back" in capsys.readouterr().out
    assert not (data / "games/a.jsonl").exists()
    assert main(["restore", path]) == 0
    assert (data / "games/a.jsonl").read_bytes() == NEW
    assert main(["backup"]) == 0
    assert len(backing_up.found(data / "backups")) == 1


def test_where_there_is_nothing_nothing_is_copied(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert main(["backup", "--to", str(tmp_path / "stick")]) == 0
    assert "no saved games" in capsys.readouterr().out
    assert not (tmp_path / "stick").exists()


@pytest.mark.parametrize("words", [["backup", "--keep", "0"], ["restore", "no-such-file"], ["restore", "/bin/ls"]])
def test_bad_input_is_one_line(words: list[str], data: Path, capsys: Capture) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gunbai: ")
    assert err.count("\n") == 1


class Rights:
    """Plays root on a machine whose folders are somebody else's, and notes who it is at each moment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owners: Mapping[Path, int]) -> None:
        self.user, self.group, self.said = 0, 0, list[str]()
        self._owners = owners
        real = Path.stat
        monkeypatch.setattr(os, "geteuid", lambda: self.user)
        monkeypatch.setattr(os, "getegid", lambda: self.group)
        monkeypatch.setattr(os, "getgroups", lambda: [0, 27])
        monkeypatch.setattr(os, "seteuid", self._set_user)
        monkeypatch.setattr(os, "setegid", self._set_group)
        monkeypatch.setattr(os, "setuid", self._set_user)
        monkeypatch.setattr(os, "setgid", self._set_group)
        monkeypatch.setattr(os, "setgroups", lambda groups: self.said.append(f"groups {groups}"))
        monkeypatch.setattr(Path, "stat", lambda path, **more: self._seen(path, real(path, **more)))

    def _set_user(self, user: int) -> None:
        assert self.group == 0 or self.said, "groups go first, while there is the right to"
        self.user = user
        self.said.append(f"user {user}")

    def _set_group(self, group: int) -> None:
        assert self.user == 0, "only root may"
        self.group = group
        self.said.append(f"group {group}")

    def _seen(self, path: Path, about: os.stat_result) -> os.stat_result:
        owner = self._owners.get(path, 0)
        return os.stat_result((*about[:4], owner, owner, *about[6:10]))


def noted(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Who reads the games and who writes the copy, once that is done."""
    who: dict[str, int] = {}
    collect, create = backing_up.collect, storage.create

    def read() -> dict[str, bytes]:
        who["read"] = rights.user
        return collect()

    def write(path: Path, text: bytes) -> None:
        who["written"] = rights.user
        create(path, text)

    monkeypatch.setattr(backing_up, "collect", read)
    monkeypatch.setattr(storage, "create", write)
    return who


def test_root_puts_games_back_as_their_owner(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = Rights(monkeypatch, {data: 990})
    owners.become_owner(data / "not" / "there")
    assert rights.said == ["groups []", "group 990", "user 990"]
    owners.become_owner(data)
    assert len(rights.said) == 3, "who is not root stays who it is"


def test_root_stays_root_where_the_games_are_its_own(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = Rights(monkeypatch, {})
    owners.become_owner(data)
    with owners.as_owner(data):
        assert rights.user == 0
    assert rights.said == []


def test_root_copies_games_as_their_owner_and_writes_as_the_folder_s(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    rights = Rights(monkeypatch, {data: 990, stick: 1000})
    who = noted(rights, monkeypatch)
    assert back_up(stick)
    assert (who, rights.user, rights.group) == ({"read": 990, "written": 1000}, 0, 0)
    assert rights.said[-3:] == ["user 0", "group 0", "groups [0, 27]"]


def test_wherever_a_link_leads_root_writes_no_copy_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "backups").symlink_to(tmp_path)
    who = noted(Rights(monkeypatch, {data: 990}), monkeypatch)
    assert back_up(backing_up.default_folder())
    assert who == {"read": 990, "written": 990}
