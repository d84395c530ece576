"""What if: every form works on a copy, and nothing of it can reach the game."""

from __future__ import annotations

import gc
import random
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest

from companion.app.app import App
from companion.games.match import Match
from companion.scenes.base.panels import Agree, Take
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.disputes.whatif import WhatIfScene, faces_of
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from tests.companion.touching import Hand, buttons
from tests.tables import after, deploy, rivers

FOUGHT = after(rivers("e3:3 d3:3 d4:2", "a3:3 b3:2 c4:2"), deploy("advance:c4", "d3:2"))


class Nowhere:
    """Where it leads back to."""

    def show(self) -> scr.Screen:
        return scr.Screen()

    def touch(self, _intent: Intent) -> None:
        pass


BACK = Nowhere()


def trying(position: Position) -> tuple[WhatIfScene, Hand]:
    scene = WhatIfScene(ORDERS, position, {"red": "Ana"}, BACK)
    hand = Hand(App())
    hand.app.scene = scene
    return scene, hand


@pytest.fixture
def table(hand: Hand) -> BoardTable:
    table = hand.start().app.scene
    assert isinstance(table, BoardTable)
    return table


# ---- nothing leaks ----------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_touched_nothing_on_the_disk_or_in_the_game_changes(
    table: BoardTable, tmp_path: Path, seed: int
) -> None:
    match = table.match
    position, steps, files = match.position, match.steps, contents(tmp_path)
    trial = WhatIfScene(ORDERS, match.position, match.players, table)
    rng, tried = random.Random(seed), 0
    for _ in range(150):
        found = trial.touch(_some(trial.show(), rng))
        tried = max(tried, len(trial.positions) - 1)
        if found is table:
            trial = WhatIfScene(ORDERS, match.position, match.players, table)
    assert tried
    assert match.position is position
    assert match.steps == steps
    assert contents(tmp_path) == files


def _some(screen: scr.Screen, rng: random.Random) -> Intent:
    """Anything that could be touched, leaving rarely."""
    found = [button.intent for button in (*buttons(screen.blocks), *screen.actions) if button.intent.verb != "leave"]
    found += [action.intent for action in screen.actions if action.intent.verb == "leave" and rng.random() < 0.1]
    for block in screen.blocks:
        if isinstance(block, scr.Steppers):
            found += [Intent(stepper.verb, stepper.what, rng.choice((-1, 1))) for stepper in block.steppers]
        if isinstance(block, scr.Dice):
            found += [Intent("die", "", n) for n in range(3)]
    assert screen.map is not None
    found += [Intent("area", rng.choice(screen.map.areas).name), Intent("page", "", 1)]
    found += [Intent("menu"), Intent("undo"), Intent("dispute")]
    return rng.choice(found)


def test_it_holds_no_way_to_the_game(table: BoardTable) -> None:
    """From the scene no match can be reached but through the scene to go back to."""
    trial = WhatIfScene(ORDERS, table.match.position, table.match.players, BACK)
    trial.touch(Intent("space", "plan:1"))
    trial.touch(Intent("confirm"))
    seen: set[int] = set()
    queue: list[object] = [trial]
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType | FunctionType | BuiltinFunctionType):
            continue
        seen.add(id(thing))
        assert not isinstance(thing, Match | BoardTable)
        queue += gc.get_referents(thing)
    assert len(seen) > 100


def test_the_dispute_hands_over_a_position_and_no_match(table: BoardTable) -> None:
    dispute = DisputeScene(table.stage, table)
    trial = dispute.touch(Intent("ask", "1"))
    assert isinstance(trial, WhatIfScene)
    assert trial.touch(Intent("leave")) is dispute
    assert not any(isinstance(value, Match) for value in vars(trial).values())


# ---- trying -----------------------------------------------------------------------------------


def test_it_says_all_the_time_that_nothing_is_recorded() -> None:
    for position in (FOUGHT, rivers("e3:3", "a3:3")):
        scene, _hand = trying(position)
        for intent in (Intent("luck", "", 1), Intent("step-back"), Intent("menu")):
            assert scene.show().frame == "What if – nothing is saved"
            assert scene.touch(intent) is None
    assert len(scene.positions) == 1, "dice mean nothing where none are owed"


def test_a_turn_is_tried_and_taken_back_step_by_step() -> None:
    start = rivers("e3:3 d3:3 d4:2", "a3:3")
    scene, hand = trying(start)
    assert "Step back" not in [action.label for action in hand.screen.actions]
    scene.touch(Intent("step-back"))
    assert scene.position is start
    hand.press("Plan 1", "Deploy")
    assert scene.position.to_move_name == "black"
    hand.press("Pass", "Step back", "Step back")
    assert scene.position is start
    assert "Round 2 · Red (Ana) 1 – Black 0" in hand.text()
    scene._try(deploy("advance:c4", "d3:2"))
    assert game.owed(scene.position) is None
    assert "Red (Ana) 1 → 3 – Black 0" in hand.text(), "what it does to the points is told"


def test_dice_are_thrown_or_taken_by_their_odds() -> None:
    scene, hand = trying(FOUGHT)
    labels = {button.label: button.note for button in hand.all_buttons() if button.intent.verb == "luck"}
    assert labels == {"Fewest: 0": "17%", "Likely: 1": "67%", "Most: 2": "17%"}
    hand.press("Most: 2")
    assert scene.position.units_in("c4") == {"black": {"troop": 2}}
    hand.press("Step back").dice(1)
    assert game.owed(scene.position) is not None
    hand.app.touch(Intent("confirm"))
    assert scene.position.units_in("c4") == {"black": {"troop": 1}}


def test_what_the_rules_refuse_is_explained_and_leads_back() -> None:
    scene, hand = trying(rivers("e3:3", "a3:3", commanders={"plan:1": "red"}))
    hand.press("Plan 2")
    assert isinstance(hand.app.scene, RulingScene)
    assert hand.app.scene.table is None, "there is nothing to settle on a copy"
    hand.press("Back")
    assert isinstance(hand.app.scene, WhatIfScene)
    assert isinstance(scene._try(Deploy("advance:a1")), RulingScene)


def test_pages_turn_and_forms_are_cancelled() -> None:
    scene, hand = trying(rivers("e3:3", "a3:3"))
    hand.app.touch(Intent("page", "", 1))
    assert scene.show().page == 1
    hand.press("Reinforce 1")
    assert not isinstance(scene.panel, TurnPanel)
    assert [action.label for action in hand.screen.actions].count("Step back") == 0, (
        "the form has a way back of its own"
    )
    hand.press("Cancel")
    assert isinstance(scene.panel, TurnPanel)


def test_several_steps_and_agreed_ones_are_tried_too() -> None:
    scene, _hand = trying(rivers("e3:3", "a3:3"))
    scene._follow(Take((Pass(), Pass())))
    scene._follow(Agree(Agreed(areas=(("c4", (("red", "troop", 2),)),))))
    scene._follow(None)
    assert len(scene.positions) == 4
    assert scene.position.units_in("c4") == {"red": {"troop": 2}}


def test_a_roll_that_nobody_rolls_again_goes_on_by_itself() -> None:
    held = after(rivers("e3:3 d3:3 d4:2", "a3:3 b3:2 c4:2", hands={"black": 1}), deploy("advance:c4", "d3:2"))
    scene, _hand = trying(held)
    scene._try(Roll((1,), "black"), no_reroll=True)
    assert game.owed(scene.position) is None
    assert scene.lines[-1].startswith("Black rolls 1; Red loses 2 troops in c4")
    again, _hand = trying(held)
    again._try(Roll((1,), "black"))
    assert game.owed(again.position) is not None


@pytest.mark.parametrize(("total", "dice", "faces"), [(0, 2, (0, 0)), (4, 2, (2, 2)), (3, 4, (2, 1, 0, 0))])
def test_faces_come_to_the_total(total: int, dice: int, faces: tuple[int, ...]) -> None:
    assert faces_of(total, dice, (0, 1, 1, 1, 1, 2)) == faces
