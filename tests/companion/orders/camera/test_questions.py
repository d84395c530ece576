"""Where the camera isn't sure, it asks."""

from __future__ import annotations

from dataclasses import replace

from companion.perception.area_questions import AreaQuestion
from companion.scenes.orders.proposal import (
    AlternativesPanel,
    ChoicePanel,
    ProposalPanel,
    QuestionPanel,
)
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Deploy, Pass
from tests.companion.orders.camera.desk import ADVANCE, Desk, several
from tests.companion.perception.seeing import say
from tests.companion.touching import buttons


def asked(desk: Desk, *answers: tuple[tuple[str, str, int], ...]) -> None:
    several(desk, 2)
    understanding = desk.app.stage.senses.monitor
    say(understanding, replace(understanding.sense, question=AreaQuestion("c4", answers)))


def test_it_asks_how_many_and_an_answer_is_certain(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    assert "How many red troops are in c4?" in desk.text()
    doubt = {"c4": (((("red", "troop", 3),), 0.6), ((("red", "troop", 2),), 0.4))}
    desk.press("2")
    desk.eye.lay(game.apply(desk.match.position, ADVANCE), doubt)
    assert isinstance(desk.panel, TurnPanel)


def test_counts_stand_in_order_with_the_likeliest_marked(desk: Desk) -> None:
    asked(desk, (("red", "troop", 3),), (("red", "troop", 2),), ())
    found = [button for button in buttons(desk.screen.blocks) if button.intent.verb == "answer"]
    assert [(button.label, button.intent.n, button.note) for button in found] == [
        ("0", 2, ""),
        ("2", 1, ""),
        ("3", 0, "likeliest"),
    ]


def test_of_several_kinds_it_asks_what_stands_there(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("black", "troop", 1), ("red", "troop", 1)), ())
    assert "What's in c4?" in desk.text()
    assert [desk.button(label).intent.n for label in ("Red: 2 troops", "Black: 1 troop, Red: 1 troop", "Nothing")] == [
        0,
        1,
        2,
    ]


def choosing(desk: Desk, few: int, of: int = 2) -> None:
    several(desk, of)
    understanding = desk.app.stage.senses.monitor
    say(understanding, replace(understanding.sense, choice=few))


def test_of_a_few_turns_each_takes_one_touch_and_none_is_said_to_be_the_one(desk: Desk) -> None:
    choosing(desk, 2)
    assert isinstance(desk.panel, ChoicePanel)
    assert "Which of these was it?" in desk.text()
    assert "The camera can't tell" in desk.text()
    assert "Yes" not in desk.text()
    assert desk.button("Something else"), "it may have been none of them"
    desk.app.touch(Intent("take", "", 1))
    assert desk.match.steps == (Pass(),)


def test_beside_a_few_turns_there_is_the_way_to_the_others(desk: Desk) -> None:
    choosing(desk, 2, of=3)
    assert "draw" not in desk.text()
    desk.press("1 more possible turn")
    assert isinstance(desk.panel, AlternativesPanel)
    desk.app.touch(Intent("take", "", 2))
    assert desk.match.steps == (Deploy("plan:2", draw=2),)


def test_a_question_may_be_left_alone_or_counted(desk: Desk) -> None:
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    desk.press("Don't ask")
    assert isinstance(desk.panel, ProposalPanel)
    asked(desk, (("red", "troop", 2),), (("red", "troop", 3),))
    assert isinstance(desk.app.scene, BoardTable)
    desk.app.scene.refresh()
    desk.press("Something else").app.touch(Intent("count", "red/dragon", 1))
    desk.count("Red troops", 4).count("Red troops", -1).press("That's right")
    assert desk.app.stage.senses.monitor.state.answers.areas["c4"].units == (("red", "troop", 3),)
    desk.app.scene.refresh()
    assert isinstance(desk.panel, QuestionPanel)
    desk.press("Something else", "Cancel")
    assert isinstance(desk.panel, QuestionPanel)
