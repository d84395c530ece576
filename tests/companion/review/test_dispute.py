"""An argument at the table: the clock waits, steps are looked at, questions are answered with their rulings."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.app.app import App
from companion.evidence.pictures import Name, folder_of, keep
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.disputes.ask import AreaScene, AskScene, CardsAskedScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.reasons import StepScene, section_of
from companion.scenes.disputes.ruling import ReadingScene, ReadingsScene, RulingScene
from companion.scenes.disputes.settle_map import SettleMapScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.story.game_log import MatchLog, chosen_lines, step_lines
from companion.scenes.story.presenter import RulesQuestion
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.draft import Event
from engine.orders.steps import Deploy, Pass, Roll
from engine.rulebook import load_book
from tests.companion.review.arguing import argued, begun, match_of, ruled, table_of, touch_slip
from tests.companion.touching import Hand
from tests.tables import after, atoll, deploy, rivers


@pytest.fixture
def hand(hand: Hand) -> Hand:
    return begun(hand)


@pytest.fixture
def dispute(hand: Hand) -> Hand:
    return argued(hand)


def verdict(hand: Hand) -> scr.Verdict:
    found = hand.screen.blocks[0]
    assert isinstance(found, scr.Verdict)
    return found


# ---- the argument -----------------------------------------------------------------------------


def test_the_last_steps_are_there_and_the_clock_stands_still_until_they_are_back_at_the_table(dispute: Hand) -> None:
    assert dispute.app.stage.services.clock.is_held
    assert dispute.screen.frame.startswith("Paused")
    assert [action.label for action in dispute.screen.actions] == ["Back"]
    assert [slip.cite for slip in dispute.blocks(scr.Slip)] == ["Why was that allowed?"] * 2
    assert dispute.blocks(scr.Slip)[0].intent == Intent("step", "", 2), "the newest first"
    dispute.app.touch(Intent("step", "", 99))
    assert isinstance(dispute.app.scene, DisputeScene)
    dispute.press("May I …?", "Back")
    assert dispute.app.stage.services.clock.is_held
    dispute.press("Back")
    assert isinstance(dispute.app.scene, BoardTable)
    assert not dispute.app.stage.services.clock.is_held


@pytest.mark.parametrize(
    ("label", "scene"),
    [
        ("May I …?", AskScene),
        ("What if …?", WhatIfScene),
        ("Look up a rule", RulesScene),
        ("Unclear rules", ReadingsScene),
        ("We agreed on something", SettleMapScene),
    ],
)
def test_each_way_to_settle_it_is_one_touch_away(dispute: Hand, label: str, scene: type) -> None:
    assert isinstance(dispute.press(label).app.scene, scene)


def test_whoever_opened_it_asks_first(hand: Hand) -> None:
    hand.app.touch(Intent("dispute", seat="black"))
    hand.press("May I …?")
    assert hand.button("Black").look == "chosen"


# ---- a step -----------------------------------------------------------------------------------


def test_a_step_is_told_with_its_ruling(dispute: Hand) -> None:
    touch_slip(dispute, "Red")
    assert isinstance(dispute.app.scene, StepScene)
    assert "No photo." in dispute.text()
    touch_slip(dispute, "Why was that allowed?")
    scene = dispute.app.scene
    assert isinstance(scene, RulingScene)
    assert scene.ruling == game.examine(match_of(dispute).positions[0], match_of(dispute).steps[0])
    assert verdict(dispute).holds
    dispute.press("Back", "Back")
    assert isinstance(dispute.app.scene, DisputeScene)


def test_steps_are_leafed_through_each_with_its_picture_where_one_was_kept(dispute: Hand) -> None:
    match = match_of(dispute)
    jpeg = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))[1].tobytes()
    keep(folder_of(match.path), Name("turn", 2, match.mark(2)), jpeg, {"first": 2, "areas": {}})
    touch_slip(dispute, "Black")
    photo = dispute.blocks(scr.Photo)[0]
    assert photo.size_px == (60, 40)
    dispute.press("Earlier")
    assert dispute.screen.title == "Step 1"
    assert dispute.button("Earlier").look == "off"
    assert dispute.press("Later").screen.title == "Step 2"
    dispute.press("Earlier")
    assert not any(isinstance(block, scr.Photo) for block in dispute.screen.blocks)


def test_what_followed_by_itself_is_told_with_its_section(dispute: Hand) -> None:
    touch_slip(dispute, "Black")
    touch_slip(dispute, "Black takes the initiative")
    assert isinstance(dispute.app.scene, EntryScene)
    assert dispute.screen.title == "Plan"


def test_losses_are_those_of_a_conflict_or_of_a_shot() -> None:
    shot = after(rivers("e3:3 d4:2", "a3:3"), deploy("bombard:d4", "e3"))
    fought = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:2"))
    lost = Event("lost", 0, 1, 0, 1)
    assert section_of(lost, shot) == "bombard"
    assert section_of(lost, fought) == "conflicts"
    assert section_of(lost, rivers("e3:3")) == "conflicts"
    assert section_of(Event("moved", 0), fought) is None
    assert section_of(Event("surplus", 0), fought) == "unit-restrictions"
    happenings = "conflict surplus bonus joined recalled initiative round won out commander returned"
    named = {section_of(Event(kind, 0), rivers("e3:3")) for kind in happenings.split()}
    assert named <= set(load_book("sengoku")) & set(load_book("wwii")), "in the book of either game"


def test_what_happens_in_the_air_is_led_to_its_own_section() -> None:
    before = atoll()
    land, zone = (before.board.area_index[name] for name in ("a2", "zone-red"))
    assert [section_of(Event(kind, 0, zone, 1, 1), before) for kind in ("conflict", "lost", "recalled")] == [
        "air-conflicts", "air-conflicts", "insufficient-aircraft",
    ]  # fmt: skip
    assert [section_of(Event(kind, 0, land, 0, 1), before) for kind in ("conflict", "lost", "recalled")] == [
        "land-conflicts", "land-conflicts", "insufficient-units",
    ]  # fmt: skip


# ---- may I ------------------------------------------------------------------------------------


def test_a_support_space_is_answered_to_either_side(dispute: Hand) -> None:
    dispute.press("May I …?")
    assert (dispute.button("Plan 1").note, dispute.button("Plan 2").note) == ("no – why?", "yes")
    assert any(space.live for space in dispute.picture.spaces), "what is open shows at once"
    dispute.press("Plan 1")
    assert not verdict(dispute).holds
    assert verdict(dispute).text == "No. “Plan 1” is already taken by Black."
    assert verdict(dispute).cite.startswith("Rulebook: ")
    dispute.press("Back", "Black", "Reinforce 1")
    assert dispute.screen.title == "Black: Reinforce 1?"
    assert "It's Red's turn." in dispute.text()
    assert dispute.screen.banner == ""
    match_of(dispute).offer(Pass())
    assert dispute.screen.banner.startswith("The game has moved on")


def test_an_area_is_answered_with_its_spaces_and_its_chain(dispute: Hand) -> None:
    dispute.press("May I …?").area("d5")
    assert isinstance(dispute.app.scene, AreaScene)
    assert [chain.areas[-1] for chain in dispute.picture.chains] == ["e3"]
    assert {slip.mark for slip in dispute.blocks(scr.Slip)} <= {"yes", "no"}
    dispute.area("a3")
    assert dispute.screen.title == "a3 · Red asks"
    dispute.press("Ask for Black")
    assert dispute.screen.title == "a3 · Black asks"
    first = dispute.blocks(scr.Slip)[0].title
    touch_slip(dispute, first)
    assert dispute.screen.title == f"Black: {first}"
    dispute.press("Back")
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.press("Back", "Back")
    assert isinstance(dispute.app.scene, DisputeScene)


def test_a_card_of_this_moment_says_so(hand: Hand) -> None:
    match = match_of(hand)
    while match.position.to_move_name != "black":
        match.offer(Pass())
    assert match.offer(Deploy("reinforce:1", place=(("a3", "troop", 1),))).legal
    scene = CardsAskedScene(table_of(hand), "black", hand.app.scene)
    told = [block for block in scene.show().blocks if isinstance(block, scr.Slip) and block.cite]
    assert [slip.title for slip in told] == ["Mobilise"]


def test_a_card_is_answered(dispute: Hand) -> None:
    dispute.press("May I …?", "About a card")
    assert isinstance(dispute.app.scene, CardsAskedScene)
    assert len(dispute.blocks(scr.Slip)) == 8
    touch_slip(dispute, "Ambush")
    assert dispute.screen.title == "Red: Ambush?"
    dispute.press("Back")
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1
    dispute.app.touch(Intent("card", "no-such"))
    assert isinstance(dispute.press("Back").app.scene, AskScene)


# ---- the ruling -------------------------------------------------------------------------------


def test_the_verdict_counts_what_else_stands_against_it_and_leads_to_the_rules(dispute: Hand) -> None:
    ruled(dispute, Deploy("advance:a1", moves=(("e3", "troop", 1), ("d5", "troop", 1))))
    assert "1 more rule forbids it" in verdict(dispute).cite
    assert verdict(dispute).text.startswith("No. ")
    dispute.press("Rules")
    assert dispute.blocks(scr.Slip)[0].title == "Advance"
    dispute.press("Back")
    assert isinstance(dispute.app.scene, RulingScene)


def test_a_touched_criterion_moves_the_map(dispute: Hand) -> None:
    scene = ruled(dispute, Deploy("advance:c4", moves=(("d5", "troop", 1), ("d4", "troop", 1))))
    before = dispute.screen.map
    (folded,) = (slip for slip in dispute.blocks(scr.Slip) if slip.mark == "yes")
    assert folded.title.endswith("other rules are met"), "what holds is folded away"
    assert folded.intent is not None
    dispute.app.touch(folded.intent)
    assert folded not in dispute.blocks(scr.Slip)
    assert any(finding.holds for finding in scene.findings)
    chosen = next(slip for slip in dispute.blocks(scr.Slip) if not slip.chosen)
    assert chosen.intent is not None
    dispute.app.touch(chosen.intent)
    assert dispute.app.scene is scene
    assert dispute.screen.map != before
    dispute.app.touch(Intent("criterion", "", 99))
    dispute.app.touch(Intent("page", "", 1))
    assert dispute.screen.page == 1


def test_a_reading_leads_to_its_answers_and_back(dispute: Hand) -> None:
    ruled(dispute, Deploy("shell:d5", target="c6"))
    slip = next(slip for slip in dispute.blocks(scr.Slip) if "unclear rule" in slip.cite)
    assert slip.intent is not None
    dispute.app.touch(slip.intent)
    assert isinstance(dispute.app.scene, ReadingScene)
    assert isinstance(dispute.press("Back").app.scene, RulingScene)


def test_a_ruling_with_nothing_looked_at_is_a_yes() -> None:
    position = rivers("e3:3", "a3:3")
    question = RulesQuestion("?", position, game.judge(position, Pass()), Pass())
    scene = RulingScene(ORDERS, question, Hand(App()).app.scene)
    assert scene.verdict().holds
    assert len(scene.show().actions) == 2


def test_rolls_are_steps_but_not_what_arguments_begin_with(hand: Hand) -> None:
    match = match_of(hand)
    assert len(list(step_lines(MatchLog(match, ORDERS)))) == 2, "a window for cards that was passed by is none"
    space, offer = next(pair for pair in game.legal(match.position).spaces.items() if pair[1].targets)
    assert match.offer(Deploy(space, target=offer.targets[0])).legal
    assert match.offer(Roll((0,) * offer.dice, "red")).legal
    assert next(iter(step_lines(MatchLog(match, ORDERS))))[1].startswith("Red rolled")
    assert next(iter(chosen_lines(MatchLog(match, ORDERS))))[0] == len(match.steps) - 1
