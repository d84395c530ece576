"""A round's end: the points with their change, who begins, and all that hands have to do before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.perception.adapters import record_of
from companion.perception.sync.state import GameChanged
from companion.perception.sync.status import SyncStatus
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.table.ending import EndScene
from companion.scenes.table.round_end import RoundEndScene, change_words, lead_words, round_start
from companion.text.people import People
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.game import apply
from engine.orders.inference.infer import Explanation
from engine.orders.score import score
from engine.orders.steps import Agreed, OtherCorrections, Pass
from tests.companion.desk.desk import STEPS, Desk, DeskOf
from tests.companion.equip import equip
from tests.companion.perception.seeing import say
from tests.companion.sample_games import played
from tests.companion.touching import buttons

POSITIONS = played()[1]
LAST = {round_: next(n for n, position in enumerate(POSITIONS) if position.round > round_) - 1 for round_ in (1, 2, 3)}
"""The step that ends each round of the recorded game, by its index."""
HOME = ["Red: recall all commanders", "Black: recall all commanders"]
Make = Callable[[int], Desk]


@pytest.fixture
def after(desk_of: DeskOf) -> Make:
    """Return a function that puts the recorded game on the table with a round just ended."""

    def make(round_: int) -> Desk:
        desk = desk_of(LAST[round_])
        desk.app.show_scene("", desk.table.offer(STEPS[LAST[round_]]) or desk.table)
        return desk

    return make


def ticks(desk: Desk, seat: str = "") -> dict[str, bool]:
    """Return {what is to be done: whether it is ticked}, in the order of the screen."""
    scene = desk.app.scene
    assert isinstance(scene, RoundEndScene)
    shown = scene.show_to(seat) if seat else scene.show()
    return {button.label: button.ticked is True for button in buttons(shown.blocks) if button.ticked is not None}


def test_the_last_step_of_a_round_leads_to_its_end(after: Make) -> None:
    desk = after(3)
    assert isinstance(desk.app.scene, RoundEndScene)
    assert (desk.screen.title, desk.screen.page) == ("End of round 3", 0)
    assert "Ana begins round 4" in desk.text()
    assert list(ticks(desk))[:2] == HOME, "what people forget comes first"
    assert "Round marker to 4" in ticks(desk)
    assert not any(ticks(desk).values())


def test_the_points_are_told_with_their_change_and_who_leads_with_what_it_was(after: Make) -> None:
    desk = after(2)
    tally = desk.blocks(scr.Tally)[0]
    then, now = score(round_start(POSITIONS, 2)).vp, score(desk.match.position).vp
    assert [(side.faction, side.points) for side in tally.sides] == list(now.items())
    assert [side.change for side in tally.sides] == [change_words(now[faction] - then[faction]) for faction in now]
    assert not any(side.won for side in tally.sides)
    lead, before = ((points["red"] - points["black"]) for points in (now, then))
    assert lead_words(lead, before, desk.table.people) in desk.text()


@pytest.mark.parametrize(
    ("now", "then", "words"),
    [
        (1, 3, "Red leads by 1, was 3."),
        (2, 2, "Red still leads by 2."),
        (-2, 0, "Black leads by 2, was tied."),
        (-1, 3, "Black leads by 1; Red led by 3."),
        (0, 0, "Still tied."),
        (0, -2, "Now tied; Black led by 2."),
    ],
)
def test_a_lead_in_words(now: int, then: int, words: str) -> None:
    assert lead_words(now, then, People(("red", "black"))) == words


def test_a_change_in_words() -> None:
    assert list(map(change_words, (2, -1, 0))) == ["+2", "−1", "±0"]


def test_things_are_ticked_one_by_one_and_their_commanders_leave_the_map(after: Make) -> None:
    desk = after(3)

    def standing(faction: str) -> set[str]:
        return {space.name for space in desk.picture.spaces if faction in space.held_by}

    assert standing("red")
    assert standing("black")
    red = next(button for button in buttons(desk.screen.blocks) if button.label == HOME[0])
    desk.touch(red.intent)
    assert ticks(desk)[HOME[0]]
    assert not standing("red")
    assert standing("black")
    desk.touch(red.intent)
    assert standing("red")
    for button in buttons(desk.screen.blocks):
        desk.touch(button.intent)
    assert "The board is ready." in desk.text()


def test_the_camera_ticks_what_it_sees_done(after: Make) -> None:
    desk = after(3)
    desk.app.stage.change(tick_by_camera=False)
    equip(desk.app.stage)
    monitor = desk.app.stage.senses.monitor
    say(monitor, SyncStatus("sync"))
    assert not any(ticks(desk).values())
    desk.app.stage.change(tick_by_camera=True)
    assert "The board is ready." in desk.text()


def test_a_turn_seen_on_the_board_begins_the_next_round_by_itself(after: Make) -> None:
    desk = after(2)
    desk.app.tick(1.0)
    assert isinstance(desk.app.scene, RoundEndScene), "as long as nothing is seen it stays"
    position, turn = desk.match.position, STEPS[len(desk.match.steps)]
    monitor = desk.app.stage.senses.monitor
    offered = SyncStatus("proposal", explanations=(Explanation((turn,), apply(position, turn), "", 0.9),))
    monitor.advance(GameChanged(record_of(desk.match)))
    say(monitor, offered)
    scene = desk.app.scene
    assert scene.tick(2.0) is desk.table
    assert isinstance(desk.table.panel, ProposalPanel)


def test_what_was_taken_back_is_done_again_there_and_the_card_comes_again(after: Make) -> None:
    desk = after(1)
    assert [action.label for action in desk.screen.actions[-2:]] == ["Undo", "Start round 2"]
    desk.press("Start round 2")
    assert desk.at_table
    assert not desk.table.hands.todo.open, "the next round begins with everything done"
    assert desk.match.offer(STEPS[LAST[1] + 1]).legal
    desk.table.refresh()
    desk.press("Undo").press("Undo")
    assert desk.at_table
    assert len(desk.match.steps) == LAST[1]
    desk.press("Redo")
    assert isinstance(desk.app.scene, RoundEndScene)
    assert [action.label for action in desk.screen.actions[-3:]] == ["Undo", "Redo", "Start round 2"]
    desk.press("Redo")
    assert desk.at_table
    assert len(desk.match.steps) > LAST[1] + 1


def test_each_half_has_what_is_its_own(after: Make) -> None:
    desk = after(3)
    assert HOME[0] in ticks(desk, "red")
    assert HOME[1] not in ticks(desk, "red")
    assert HOME[1] in ticks(desk, "black")
    assert "Round marker to 4" in ticks(desk, "red")
    desk.app.stage.settings = replace(desk.app.stage.settings, layout="two")
    faces = desk.app.faces()
    assert {face.screen.title for face in faces.faces} == {"End of round 3"}
    assert faces.middle is not None
    desk.touch(Intent("on", seat="black"))
    assert desk.at_table


def test_it_can_be_switched_off(desk_of: DeskOf) -> None:
    desk = desk_of(LAST[1])
    desk.app.stage.change(round_end=False)
    assert desk.table.offer(STEPS[LAST[1]]) is None


def test_only_a_round_that_was_played_ends(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    assert desk.table.offer(Agreed(note="further on", other=OtherCorrections(round=3))) is None
    assert desk.table.offer(Pass()) is None
    while desk.match.position.round < 4:
        following = desk.table.offer(Pass())
    assert isinstance(following, RoundEndScene)
    while desk.match.position.winner is None:
        following = desk.table.offer(Pass())
    assert isinstance(following, EndScene), "the last round ends with the game"
