"""Root that works in a folder of another user: whose groups it has meanwhile, and that it is root again."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.appliance import rights


class Rights:
    """What a process of root's has asked the system for, in its order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[str, object]] = []
        for name in ("setgroups", "setgid", "setuid", "setegid", "seteuid"):
            monkeypatch.setattr(os, name, partial(self._ask, name))
        monkeypatch.setattr(os, "getegid", lambda: 3)
        monkeypatch.setattr(os, "getgroups", lambda: [3, 27])
        monkeypatch.setattr(rights, "_owner", lambda _folder: SimpleNamespace(st_uid=1000, st_gid=1001))

    def _ask(self, name: str, what: object) -> None:
        self.asked.append((name, what))


def test_with_the_owner_s_rights_root_has_none_of_its_own_groups_until_it_is_root_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    process = Rights(monkeypatch)
    with suppress(KeyError), rights.as_owner(tmp_path):
        assert process.asked == [("setgroups", []), ("setegid", 1001), ("seteuid", 1000)]
        process.asked.clear()
        raise KeyError
    assert process.asked == [("seteuid", 0), ("setegid", 3), ("setgroups", [3, 27])], "whatever happened"


def test_who_becomes_the_owner_keeps_no_group_of_root_s(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    process = Rights(monkeypatch)
    rights.become_owner(tmp_path)
    assert process.asked == [("setgroups", []), ("setgid", 1001), ("setuid", 1000)]


def test_nobody_but_root_changes_anything_about_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    process = Rights(monkeypatch)
    monkeypatch.setattr(rights, "_owner", lambda _folder: None)
    rights.become_owner(tmp_path)
    with rights.as_owner(tmp_path):
        pass
    assert process.asked == []
