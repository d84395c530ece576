"""Who may read a backup."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from companion.appliance import backing_up, collecting
from companion.appliance.backing_up import back_up
from companion.appliance.rights import as_owner, become_owner
from companion.core import storage


class Rights:
    """Plays root on a machine whose folders are somebody else's, and notes who it is at each moment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owners: Mapping[Path, int]) -> None:
        self.user, self.group, self.said = 0, 3, list[str]()
        self._owners = owners
        real = Path.stat
        monkeypatch.setattr(os, "geteuid", lambda: self.user)
        monkeypatch.setattr(os, "getegid", lambda: self.group)
        monkeypatch.setattr(os, "getgroups", lambda: [3, 27])
        monkeypatch.setattr(os, "seteuid", self._set_user)
        monkeypatch.setattr(os, "setegid", self._set_group)
        monkeypatch.setattr(os, "setuid", self._set_user)
        monkeypatch.setattr(os, "setgid", self._set_group)
        monkeypatch.setattr(os, "setgroups", lambda groups: self.said.append(f"groups {groups}"))
        monkeypatch.setattr(Path, "stat", lambda path, **more: self._seen(path, real(path, **more)))

    def _set_user(self, user: int) -> None:
        assert self.group == 3 or self.said, "groups go first, while there is the right to"
        self.user = user
        self.said.append(f"user {user}")

    def _set_group(self, group: int) -> None:
        assert self.user == 0, "only root may"
        self.group = group
        self.said.append(f"group {group}")

    def _seen(self, path: Path, about: os.stat_result) -> os.stat_result:
        owner = self._owners.get(path, 0)
        return os.stat_result((*about[:4], owner, owner, *about[6:10]))


def noted(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[int]]:
    """Who reads the games and who makes and names the copy, once that is done."""
    who: dict[str, set[int]] = {"read": set(), "written": set()}

    def note(owner: object, name: str, what: str) -> None:
        real = getattr(owner, name)

        def call(*given: object, **named: object) -> object:
            who[what].add(rights.user)
            return real(*given, **named)

        monkeypatch.setattr(owner, name, call)

    note(collecting, "read_file", "read")
    note(os, "rename", "written")
    note(storage, "sync_folder", "written")
    return who


def test_root_puts_games_back_as_their_owner(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = Rights(monkeypatch, {data: 990})
    become_owner(data / "not" / "there")
    assert rights.said == ["groups []", "group 990", "user 990"]
    become_owner(data)
    assert len(rights.said) == 3, "who is not root stays who it is"


def test_root_stays_root_where_the_games_are_its_own(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = Rights(monkeypatch, {})
    become_owner(data)
    with as_owner(data):
        assert rights.user == 0
    assert rights.said == []


def test_with_the_owner_s_rights_root_has_none_of_its_own_groups_until_it_is_root_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights = Rights(monkeypatch, {data: 990})
    with suppress(KeyError), as_owner(data):
        assert rights.said == ["groups []", "group 990", "user 990"]
        raise KeyError
    assert rights.said[3:] == ["user 0", "group 3", "groups [3, 27]"], "whatever happened"


def test_root_copies_games_as_their_owner_and_writes_as_the_folder_s(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    rights = Rights(monkeypatch, {data: 990, stick: 1000})
    who = noted(rights, monkeypatch)
    assert back_up(stick).made
    assert (who, rights.user, rights.group) == ({"read": {990}, "written": {1000}}, 0, 3)


def test_wherever_a_link_leads_root_writes_no_copy_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "backups").symlink_to(tmp_path)
    who = noted(Rights(monkeypatch, {data: 990}), monkeypatch)
    assert back_up(backing_up.default_folder()).made
    assert who == {"read": {990}, "written": {990}}


# ---- as real root --------------------------------------------------------------------------------

OWNER, GROUP, OTHER_GROUP = 65_534, 64_999, 64_998
PROBE = f"""
import json, os, sys
from pathlib import Path
from companion.appliance import rights

folder = Path(sys.argv[1])
os.setgroups([0, {OTHER_GROUP}])

def seen(name):
    told = {{}}
    for path in sorted(folder.parent.iterdir()):
        try:
            told[path.name] = path.is_dir() or bool(path.read_bytes())
        except PermissionError:
            told[path.name] = False
    made = folder / name
    made.touch()
    return {{"reads": told, "made": [made.stat().st_uid, made.stat().st_gid]}}

told = {{"root": seen("a")}}
with rights.as_owner(folder):
    told["as owner"] = seen("b")
told["root again"] = seen("c")
told["groups"] = [os.getegid(), *os.getgroups()]
rights.become_owner(folder)
told["owner"] = seen("d")
told["for good"] = [*os.getresuid(), *os.getresgid(), *os.getgroups()]
print(json.dumps(told))
"""
"""What root can read, and whose is what it makes, in a process of its own: from the last of it there is no way back."""


@pytest.fixture(scope="module")
def told_by_root() -> Iterator[dict[str, Any]]:
    """Yield what PROBE reports, beside files that belong to root, to the two groups and to everybody."""
    with TemporaryDirectory(dir="/tmp") as scratch:
        place = Path(scratch)
        place.chmod(0o755)
        files = {"root": (0, 0, 0o640), "theirs": (0, GROUP, 0o640), "root's group": (0, OTHER_GROUP, 0o640)}
        for name, (user, group, mode) in {**files, "everybody": (0, 0, 0o644)}.items():
            (place / name).write_text("secret")
            os.chown(place / name, user, group)
            (place / name).chmod(mode)
        (place / "games").mkdir()
        os.chown(place / "games", OWNER, GROUP)
        done = subprocess.run(
            [sys.executable, "-c", PROBE, place / "games"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        yield json.loads(done.stdout)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another")
class TestRealRoot:
    @pytest.mark.parametrize("who", ["as owner", "owner"])
    def test_reads_and_makes_what_the_owner_may_and_no_more(self, told_by_root: dict[str, Any], who: str) -> None:
        """Neither by root's own group nor by one that it was in besides."""
        reads = {"root": False, "theirs": True, "root's group": False, "everybody": True, "games": True}
        assert told_by_root[who] == {"reads": reads, "made": [OWNER, GROUP]}

    def test_is_root_before_and_afterwards(self, told_by_root: dict[str, Any]) -> None:
        reads = dict.fromkeys(("root", "theirs", "root's group", "everybody", "games"), True)
        assert told_by_root["root"] == told_by_root["root again"] == {"reads": reads, "made": [0, 0]}
        assert told_by_root["groups"] == [0, 0, OTHER_GROUP]

    def test_becomes_the_owner_for_good(self, told_by_root: dict[str, Any]) -> None:
        assert told_by_root["for good"] == [OWNER] * 3 + [GROUP] * 3
