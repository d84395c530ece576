"""Who may read a backup."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.appliance import backing_up, collecting
from companion.appliance.backing_up import back_up
from companion.appliance.rights import as_owner, become_owner
from companion.core import storage


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


def test_root_copies_games_as_their_owner_and_writes_as_the_folder_s(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    rights = Rights(monkeypatch, {data: 990, stick: 1000})
    who = noted(rights, monkeypatch)
    assert back_up(stick).made
    assert (who, rights.user, rights.group) == ({"read": {990}, "written": {1000}}, 0, 0)
    assert rights.said[-3:] == ["user 0", "group 0", "groups [0, 27]"]


def test_wherever_a_link_leads_root_writes_no_copy_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "backups").symlink_to(tmp_path)
    who = noted(Rights(monkeypatch, {data: 990}), monkeypatch)
    assert back_up(backing_up.default_folder()).made
    assert who == {"read": {990}, "written": {990}}
