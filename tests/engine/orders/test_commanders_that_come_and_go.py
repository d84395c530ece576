"""Commanders that an area bonus brings and takes: none to give back, several at once, one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders import board, game
from engine.orders.player.unfolding import best_answer, quiet_answer
from engine.orders.position import Position
from engine.orders.steps import Accept, Return
from tests.boards import practice
from tests.tables import after, deploy, due_in, refused, rolled, stand

LOST = deploy("advance:a3", "b3:3")


def held(bring: int = 1, **more: Any) -> Position:
    """Blue holds a3 with a bonus that brings so many commanders; yellow is to move, and three stand next to it."""
    made_up = practice.valley()
    signal = replace(made_up.mode.bonuses["signal_unit"], amount=bring)
    mode = replace(made_up.mode, bonuses={**made_up.mode.bonuses, "signal_unit": signal})
    given: dict[str, Any] = {"bonuses": {"3": "signal_unit"}, "to_move": "yellow"}
    return stand(replace(made_up, mode=mode), "a1:4 a2:2 a3:1", "c3:4 b3:4", **{**given, **more})


def lost(position: Position) -> Position:
    return after(position, LOST, rolled("blue", 0))


def test_who_has_none_in_the_reserve_and_none_deployed_gives_none_back() -> None:
    now = lost(held(left={"blue": 0, "yellow": 3}))
    assert (now.left("blue"), now.standing_by("blue"), game.owed(now)) == (0, 4, None)


def test_those_in_the_reserve_go_first_then_the_owner_chooses() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue", "reinforce:1": "blue"}
    standby = {"blue": 1, "yellow": 4}
    now = lost(held(3, left={"blue": 1, "yellow": 3}, commanders=spaces, standby=standby))
    assert (now.left("blue"), now.standing_by("blue")) == (0, 2)
    assert due_in(now).spaces == ("advance:a2", "reinforce:1", "plan:1")
    refused(now, Return("plan:9", "blue"), "space.known")
    refused(now, Return("plan:1", "green"), "faction.known return.owed")
    then = after(now, Return("plan:1", "blue"))
    assert due_in(then).spaces == ("advance:a2", "reinforce:1")
    assert then.commanders_on("plan:1") == ()
    done = after(then, Return("reinforce:1", "blue"))
    assert (game.owed(done), done.standing_by("blue"), done.commanders_on("advance:a2")) == (None, 4, ("blue",))


def test_the_player_gives_one_back_that_may_go() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue", "reinforce:1": "blue"}
    now = lost(held(3, left={"blue": 1, "yellow": 3}, commanders=spaces, standby={"blue": 1, "yellow": 4}))
    assert quiet_answer(now) == Return("advance:a2", "blue")
    chosen = best_answer(now, 0)
    assert isinstance(chosen, Return)
    assert game.judge(now, chosen).legal
    assert best_answer(now, 1) is None
    begun = held(3, left={"blue": 1, "yellow": 3})
    assert (quiet_answer(begun), best_answer(begun, 0)) == (Accept(), None)


def test_the_last_one_needs_no_choice() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue"}
    now = lost(held(2, left={"blue": 0, "yellow": 3}, commanders=spaces, standby={"blue": 2, "yellow": 4}))
    done = after(now, Return("plan:1", "blue"))
    assert (game.owed(done), done.standing_by("blue"), done.commanders[0]) == (None, 4, 0)


def test_a_game_begins_with_all_that_a_bonus_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = practice.valley()
    monkeypatch.setitem(board.BOARDS._added, made_up.name, made_up)
    start = game.new_game(made_up.name, "blue", {"1": "signal_unit"})
    assert (start.commanders_left, start.standby) == ((6, 5), (3, 4))
