"""Battles in sentences, what the shared scenes are told of them, and how they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DecideScene
from companion.scenes.sonae.field import field_picture, step_sketch
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.score import BattleScore, battle_figures
from companion.scenes.table.ending import EndScene
from companion.text.people import People
from companion.text.sonae import (
    changes,
    ending,
    kind_words,
    question,
    short_title,
    sixes,
    step_words,
    title,
)
from companion.ui.screen import Intent, Prompt, Tally
from engine.sonae.game import judge, new_game
from engine.sonae.position import Due, Position
from engine.sonae.scenario import load_scenario
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    acting,
    begun,
    charged,
    near,
    played,
    rolled,
    row,
    settled,
)
from tests.companion.touching import Hand, buttons

NOBODY = People(("red", "blue"))


@pytest.fixture
def position() -> Position:
    return new_game(load_scenario("maru-shikaku"))


TOLD = [
    (Settle("maru", "mobile"), "Maru's general mounts up."),
    (Settle("maru", "encamped"), "Maru's general makes camp."),
    (Settle("maru", "encamped", "maru-ni"), "Maru's general makes camp and sends a messenger to Maru-ni."),
    (Token("shikaku"), "Shikaku's token is drawn."),
    (Activate("maru-san"), "Maru-san activates."),
    (Advance(SHOCK, 8.2, 5.2), "Maru-ichi Shock Sonae 1 advances 1.6 Movements."),
    (FallBack(SHOCK, 8.2, 3.0), "Maru-ichi Shock Sonae 1 falls back 0.6 Movements."),
    (Wheel(SHOCK, 90.0, 8.2, 3.6), "Maru-ichi Shock Sonae 1 turns to the right."),
    (Wheel(SHOCK, 270.0, 7.2, 3.6), "Maru-ichi Shock Sonae 1 turns to the left and moves 1.0 Movements."),
    (Wheel(SHOCK, 180.0, 8.2, 3.6), "Maru-ichi Shock Sonae 1 turns around."),
    (Fire(SHOCK, TEPPO), "Maru-ichi Shock Sonae 1 opens fire on Shikaku-ichi Teppo Sonae 1."),
    (Rally(SHOCK), "Maru-ichi Shock Sonae 1 tries to rally."),
    (Advance("nobody", 1.0, 1.0), "nobody"),
    (Agreed({SHOCK: None}), "Agreed: Maru-ichi Shock Sonae 1 has left the battle."),
    (Agreed({SHOCK: {"x": 1.0}}), "Agreed: Maru-ichi Shock Sonae 1 has moved."),
    (Agreed({SHOCK: {"facing": 1.0}}), "Agreed: Maru-ichi Shock Sonae 1 faces another way."),
    (Agreed({SHOCK: {"status": "brittle"}}), "Agreed: Maru-ichi Shock Sonae 1 has a different status."),
    (Agreed(orders=1, winner="maru"), "Agreed: 1 order left; Maru wins."),
]


@pytest.mark.parametrize(("step", "told"), TOLD, ids=lambda case: type(case).__name__)
def test_steps_in_sentences(position: Position, step: Step, told: str) -> None:
    assert step_words(step, position) == told == SONAE.line(step, position, NOBODY)


def test_rolls_in_sentences(hand: Hand) -> None:
    begun(hand)
    table = played(hand, Settle("maru", "encamped", "maru-ni"))
    assert step_words(Roll((6, 1, 1, 1, 6), "maru"), table.position) == ("Messenger to Maru-ni – 2 sixes with 5 dice.")
    settled(hand)
    table = played(hand, Token("maru"), Activate("maru-ichi"))
    assert step_words(Roll((4,), "maru"), table.position) == "Maru-ichi rolls a 4 for its orders."
    table = played(hand, Roll((4,), "maru"))
    assert step_words(Roll((1,), "maru"), table.position) == "No six with 1 die."
    assert step_words(Done(), table.position) == "Maru-ichi ends its activation with 5 orders left."
    assert sixes(()) == "no dice, no six"


def test_closing_and_opportunity_fire_in_sentences(hand: Hand) -> None:
    position = charged(hand).position
    assert step_words(Closing("shikaku", True), position) == "Shikaku-ichi Teppo Sonae 1 uses Closing Fire."
    assert step_words(Closing("shikaku", False), position) == "Shikaku-ichi Teppo Sonae 1 holds its fire."
    due = replace(position.due[0], kind="opportunity")
    there = replace(position, due=(due,))
    assert "uses Opportunity Fire" in step_words(Closing("shikaku", True), there)
    assert "lets the enemy pass" in step_words(Closing("shikaku", False), there)
    assert step_words(Closing("shikaku", False), replace(position, due=())) == " holds its fire."


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (Advance(SHOCK, 6.0, 7.0), "Can Maru-ichi Shock Sonae 1 advance that far?"),
        (Advance(SHOCK, 6.0, 8.0), "Can Maru-ichi Shock Sonae 1 charge Shikaku-ichi Teppo Sonae 1?"),
        (FallBack(SHOCK, 6.0, 6.0), "Can Maru-ichi Shock Sonae 1 fall back there?"),
        (Wheel(SHOCK, 90.0, 6.0, 6.4), "Can Maru-ichi Shock Sonae 1 turn and go there?"),
        (Fire(SHOCK, TEPPO), "Can Maru-ichi Shock Sonae 1 fire at Shikaku-ichi Teppo Sonae 1?"),
        (Rally(SHOCK), "Can Maru-ichi Shock Sonae 1 rally?"),
        (Done(), "Allowed? Maru-ichi ends its activation with 5 orders left."),
    ],
)
def test_questions(hand: Hand, step: Step, asked: str) -> None:
    assert question(step, near(hand).position) == asked


def test_what_came_of_a_step(hand: Hand) -> None:
    table = near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 1, 0)
    before = table.position
    rolled(hand, 0)
    assert changes(before, table.position) == ("Shikaku-ichi Teppo Sonae 1 is now wavering.",)
    tired = before.with_unit(SHOCK, fatigue=1)
    assert changes(before, tired) == ("Maru-ichi Shock Sonae 1 is fatigued: too many orders.",)
    shocked = replace(before, due=(Due("shock", 0, (SHOCK,), (TEPPO,)),))
    worn = "Maru-ichi Shock Sonae 1 is fatigued: only one six in Shock."
    assert changes(shocked, tired) == (worn,)
    assert step_words(Done(), shocked) == "Maru-ichi Shock Sonae 1 declines the Shock Phase."
    bonus = replace(before, due=(), bonus=(SHOCK,))
    assert step_words(Done(), bonus) == "The bonus order goes unused."
    lost = replace(before.without(HONJIN), winner=0, reason="general")
    assert SONAE.changes(before, lost) == (
        "Shikaku-ichi Honjin has left the battle.",
        "Maru wins: the enemy Army General fell.",
    )
    assert ending(lost) == "Maru wins: the enemy Army General fell."


def test_names_and_a_unit_that_is_back(position: Position) -> None:
    assert "is back in the battle" in step_words(Agreed({SHOCK: {}}), position.without(SHOCK))
    assert title(position, SHOCK) == "Maru-ichi Shock Sonae 1"
    assert title(position, "nobody") == "nobody"
    assert short_title(position, SHOCK) == "Shock Sonae 1"
    mounted = replace(position, modes=("mobile", "encamped"))
    assert kind_words(mounted, "maru-ichi-general") == "mobile general"
    assert kind_words(mounted, "shikaku-ichi-general") == "encamped general"


def test_what_the_shared_scenes_ask(hand: Hand) -> None:
    table = acting(hand)
    position = table.position
    assert SONAE.seats(("maru", "shikaku")) == ("red", "blue")
    assert SONAE.keys(position) == ("maru", "shikaku")
    assert SONAE.sides(position) == ("Maru", "Shikaku")
    assert SONAE.title(position) == "Battle for the Bridge"
    assert (SONAE.turn(position), SONAE.winner(position), SONAE.acting(position)) == (1, None, 0)
    assert SONAE.start_line(position) == "Battle for the Bridge: Maru vs Shikaku."
    by_chance = [SONAE.by_chance(step, position) for step in (Roll((1,), "maru"), Token("maru"), Done())]
    assert by_chance == [True, True, False]
    assert [SONAE.begins(step) for step in (Token("maru"), Done())] == [True, False]
    assert SONAE.is_agreed(Agreed())
    assert not SONAE.is_agreed(Done())
    assert SONAE.facts(position, table.people) == "Ana: 15 units · Bo: 14 units · Maru-ichi"
    assert "rule:order.left" in SONAE.library(position).entries
    assert "locked" in SONAE.readings()
    assert SONAE.switched_readings(position) == frozenset()
    assert SONAE.waits_for(position) == (0,)
    assert SONAE.waits_for(replace(position, winner=1)) == ()
    assert SONAE.waits_for(replace(position, acting="")) == (0, 1)
    assert SONAE.acting(replace(position, acting="", bonus=(TEPPO,))) == 1
    begin = new_game(position.scenario)
    assert (SONAE.acting(begin), SONAE.facts(begin, table.people)) == (0, "Ana: 15 units · Bo: 14 units")


def test_a_lost_general_is_crossed_out_in_the_status(hand: Hand) -> None:
    position = acting(hand).position.without("shikaku-ichi-general").with_unit(TEPPO, status="brittle")
    status = SONAE.status(replace(position, scenario=position.scenario), NOBODY)
    assert [tell.sign for tell in status.sides[1].tells[1]] == ["cross", "hurt"]


def test_what_hands_would_have_done_is_settled_as_agreed(hand: Hand) -> None:
    position = acting(hand).position
    assert SONAE.settling_step(position, None, "so") == Agreed(note="so")
    assert SONAE.settling_step(position, Rally(SHOCK), "so") is None
    assert SONAE.settling_step(position, Advance("nobody", 1.0, 1.0), "so") is None
    step = SONAE.settling_step(position, Advance(SHOCK, 8.2, 7.0), "so")
    assert step == Agreed({SHOCK: {"x": 8.2, "y": 7.0, "facing": 0.0}}, 4, note="so")


def test_what_is_against_an_order_and_what_would_help(hand: Hand) -> None:
    position = near(hand).position
    told = SONAE.message_text(judge(position, Fire(SHOCK, "shikaku-ni-melee")).objections[0].message, position)
    assert told.startswith("Maru-ichi Shock Sonae 1 and Shikaku-ni Yari Sonae are")

    def helped(step: Step) -> tuple[str, ...]:
        return SONAE.remedies(position, step, judge(position, step))

    assert helped(Advance(SHOCK, 6.5, 11.0)) == ("It can go 1.5 Movements straight that way.",)
    assert helped(FallBack(SHOCK, 6.0, 3.4)) == ("It can go 1.0 Movements straight that way.",)
    assert helped(Fire(SHOCK, "shikaku-ni-melee"))[0].startswith("In range: Shikaku-ichi Teppo Sonae 1, ")
    assert helped(Fire("maru-ichi-shock-2", "shikaku-ni-melee")) == ("No enemies in range.",)
    assert helped(Rally("shikaku-ni-melee")) == ()
    assert helped(Rally(SHOCK)) == ()
    assert helped(Wheel(SHOCK, 90.0, 9.0, 6.4))[0].startswith("It can go")


def test_pictures_of_steps_and_of_what_is_owed(hand: Hand) -> None:
    table = near(hand)
    position = table.position
    moved = SONAE.picture(position, Advance(SHOCK, 6.0, 7.0))
    assert [unit.mark for unit in moved.units if unit.name == SHOCK] == ["chosen", "ghost"]
    assert moved.focus == (6.0, 6.7)
    assert SONAE.picture(position, Fire(SHOCK, TEPPO)).lines[0].kind == "fire"
    assert step_sketch(position, Advance("nobody", 1.0, 1.0)) == step_sketch(position, Fire(SHOCK, "nobody"))
    played(hand, Fire(SHOCK, TEPPO))
    marks = {unit.name: unit.mark for unit in SONAE.picture(table.position).units}
    assert (marks[SHOCK], marks[TEPPO]) == ("chosen", "target")
    looks = [ground.look for ground in field_picture(position).grounds]
    assert looks == ["hill", "hill", "forest", "marsh", "water", "water", "bridge", "objective"]


def test_figures_count_losses_orders_and_luck_and_who_holds_the_objective_is_said(hand: Hand) -> None:
    table = near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 2, 0)
    played(hand, Agreed({TEPPO: None, SHOCK: row(17.5, 5.3, 0.0)}))
    match = table.match
    one, other = (battle_figures(match.positions, match.steps, side) for side in (0, 1))
    assert (one.orders, one.fired, one.dice, one.sixes, one.lost) == (1, 1, 2, 2, 0)
    assert one.hoped == pytest.approx(2 / 6)
    assert (other.lost, other.units) == (1, 13)
    hand.app.scene = table.score()
    assert "The bridge: held by Maru." in hand.text()
    tally = hand.blocks(Tally)[0]
    assert [side.won for side in tally.sides] == [True, False]


def test_how_it_stands_and_in_figures(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = table.score()
    assert isinstance(hand.app.scene, BattleScore)
    assert hand.screen.title == "Score"
    assert [(action.label, action.look) for action in hand.screen.actions] == [("Back", "primary")]
    assert "The bridge: not held." in hand.text()
    assert "9 turns left after this one." in hand.text()
    hand.press("Statistics")
    assert "rolled no hit dice" in hand.text()
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back", "Back")
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 2, 0)
    hand.app.scene = table.score()
    hand.press("Statistics")
    assert "luckier than average" in hand.text()
    assert "unluckier than average" in hand.text()


def test_the_winner_is_decided_by_hand_and_home_follows(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = table.score()
    hand.press("Declare the winner")
    assert isinstance(hand.app.scene, DecideScene)
    hand.press("Back", "Declare the winner", "Bo")
    assert isinstance(hand.app.scene, ConsentScene)
    hand.consent("red", "blue")
    assert table.position.winner_name == "shikaku"
    assert isinstance(hand.app.scene, EndScene)
    assert "Agreed by the players." in hand.text()
    result = table.details(hand.app.scene).show()
    assert result.title == "The battle is over"
    assert [block.text for block in result.blocks if isinstance(block, Prompt)] == [
        "Shikaku wins: agreed by the players."
    ]
    assert "Declare the winner" not in {button.label for button in buttons(result.blocks)}
    assert [(action.label, action.look) for action in result.actions] == [("Back", "quiet"), ("Home", "primary")]
    hand.press("Home")
    assert hand.app.scene is hand.app.home
