"""What is printed: cards that lie face up explain the next turn, and the “Yes” takes the turn that is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.board_watch import OFFERED_S, YesPresses
from companion.games.match import Match
from companion.perception.dice import DiceWatch, Faces
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.state import LaidCards
from companion.perception.sync.status import SyncStatus, TableView
from companion.perception.sync.turn_progress import THINKING_S
from companion.perception.turn_inference import InlineExplainer
from companion.scenes.orders.proposal import ProposalPanel
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Reroll, Roll, Step, cards_of
from tests.companion.orders.camera.desk import Desk
from tests.companion.perception.seeing import reading_of
from vision.live.messages import cards_from
from vision.live.printed import LaidCard
from vision.reading.read import Reading

MODE = load_board("sengoku-rivers").mode
AMBUSH, MOBILISE = (list(MODE.cards).index(name) for name in ("ambush", "mobilise"))
PILE, BESIDE = (330.0, 60.0), (330.0, 200.0)


@pytest.fixture
def laid() -> LaidCards:
    return LaidCards().see((LaidCard(MOBILISE, PILE),)).begin_turn()


def test_what_lay_there_before_is_not_laid_anew(laid: LaidCards) -> None:
    x, y = PILE
    laid = laid.see((LaidCard(MOBILISE, (x + 6.0, y)),))
    assert laid.fresh(MODE) == ()
    laid = laid.see((LaidCard(MOBILISE, PILE), LaidCard(AMBUSH, BESIDE), LaidCard(39, (0.0, -50.0))))
    assert laid.fresh(MODE) == ("ambush",), "the deck has no card of number 39"


def test_a_hand_over_the_pile_makes_nothing_new(laid: LaidCards) -> None:
    laid = laid.see(())
    laid = laid.begin_turn()
    laid = laid.see((LaidCard(MOBILISE, PILE),))
    assert laid.fresh(MODE) == ()


def test_the_same_card_on_top_of_another_was_laid_again(laid: LaidCards) -> None:
    laid = laid.see((LaidCard(AMBUSH, PILE),))
    assert laid.fresh(MODE) == ("ambush",)
    laid = laid.begin_turn()
    laid = laid.see((LaidCard(MOBILISE, PILE),))
    assert laid.fresh(MODE) == ("mobilise",)


def test_a_card_that_overlaps_another_hides_nothing_that_is_still_seen(laid: LaidCards) -> None:
    x, y = PILE
    laid = laid.see((LaidCard(MOBILISE, PILE), LaidCard(AMBUSH, (x + 30.0, y))))
    assert laid.fresh(MODE) == ("ambush",)


def first_offered(match: Match, seen: Reading, *lie: LaidCard, throws: tuple[Faces, ...] = ()) -> tuple[Step, ...]:
    """Return the turn offered first where these cards lie, the first of them already before the turn."""
    monitor = SyncMonitor(InlineExplainer())
    monitor.update(match, TableView("settled", reading_of(match.position), cards=lie[:1]), 0.0)
    for now_s in (1.0, 1.0 + 2 * THINKING_S):
        monitor.update(match, TableView("settled", seen, cards=lie), now_s, DiceWatch(rolls=throws))
    assert monitor.sense.sign == "proposal"
    return monitor.sense.explanations[0].steps


def cards_in(steps: tuple[Step, ...]) -> list[str]:
    return [card for step in steps for card in cards_of(step)]


def test_a_card_that_is_laid_tells_which_turn_it_was(match: Match) -> None:
    facing = (("d3", (("red", "troop", 5),)), ("b3", (("black", "troop", 1),)), ("c3", (("red", "ship", 1),)))
    match.offer(Agreed(areas=facing, other=OtherCorrections(hands=(("red", 3), ("black", 3)))))
    advance = Deploy("advance:b3", moves=(("d3", "troop", 4),))
    seen = reading_of(game.fold(match.position, (advance, Roll((1,), "black"), Accept())))
    pile = LaidCard(MOBILISE, PILE)
    assert cards_in(first_offered(match, seen)) == []
    assert cards_in(first_offered(match, seen, pile)) == []
    assert cards_in(first_offered(match, seen, pile, LaidCard(AMBUSH, BESIDE))) == ["ambush"]


def test_a_card_that_can_have_no_other_effect_was_spent_to_roll_again(match: Match) -> None:
    besides = OtherCorrections(hands=(("red", 3),))
    match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),), other=besides))
    shelled = (Deploy("shell:d3", target="c2"), Roll((1, 1), "red"), Accept())
    seen, pile, laid = (
        reading_of(game.fold(match.position, shelled)),
        LaidCard(AMBUSH, PILE),
        LaidCard(MOBILISE, BESIDE),
    )
    assert cards_in(first_offered(match, seen, pile)) == []
    steps = first_offered(match, seen, pile, laid)
    assert steps[1:4] == (Roll((1, 1), "red"), Reroll("mobilise", "red"), Roll((1, 1), "red"))
    thrown = first_offered(match, seen, pile, laid, throws=((0, 0), (1, 1)))
    assert thrown[1:4] == (Roll((0, 0), "red"), Reroll("mobilise", "red"), Roll((1, 1), "red"))


def test_cards_that_make_no_sense_are_no_message() -> None:
    assert cards_from([[3, [1.0, 2.0]]]) == (LaidCard(3, (1.0, 2.0)),)
    for odd in ([[3]], [["three", [1, 2]]], [[-1, [1, 2]]], 7):
        with pytest.raises((KeyError, TypeError, ValueError)):
            cards_from(odd)


ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
OTHER = Deploy("advance:c4", moves=(("d5", "troop", 1),))


def offer(position: Position, step: Deploy) -> SyncStatus:
    return SyncStatus("proposal", explanations=(Explanation((step,), position, "", 0.9),))


def pressed(times: int) -> TableView:
    return TableView("settled", yes=times)


@pytest.fixture
def position(match: object) -> Position:
    return match.position  # type: ignore[attr-defined,no-any-return]


def test_a_press_confirms_what_has_been_offered_for_a_while(position: Position) -> None:
    presses = YesPresses()
    assert not presses.follow(pressed(4), offer(position, ADVANCE), 0.0), "pressed before anybody looked"
    assert not presses.follow(pressed(4), offer(position, ADVANCE), OFFERED_S)
    assert presses.follow(pressed(5), offer(position, ADVANCE), OFFERED_S + 1)
    assert not presses.follow(pressed(5), offer(position, ADVANCE), OFFERED_S + 2)


def test_a_turn_that_has_only_just_been_offered_is_not_confirmed(position: Position) -> None:
    presses = YesPresses()
    presses.follow(pressed(0), offer(position, OTHER), 0.0)
    assert not presses.follow(pressed(1), offer(position, ADVANCE), 5.0)
    assert not presses.follow(pressed(1), offer(position, ADVANCE), 9.0), "a press is not kept"


@pytest.mark.parametrize("sign", ["sync", "unsure", "out", "moving", "hand", "behind"])
def test_where_nothing_is_offered_it_means_nothing(position: Position, sign: str) -> None:
    presses = YesPresses()
    state = SyncStatus(sign, explanations=offer(position, ADVANCE).explanations)  # type: ignore[arg-type]
    presses.follow(pressed(0), state, 0.0)
    assert not presses.follow(pressed(1), state, 9.0)
    assert not presses.follow(None, state, 10.0)
    assert not presses.follow(pressed(9), state, 11.0), "another camera's count"


def press(desk: Desk, after: Position, times: int) -> None:
    desk.eye.laid = TableView("settled", reading_of(after), yes=times)
    desk.wait()


def test_the_turn_on_the_screen_is_taken_and_no_other_button_is_touched(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(after).wait(OFFERED_S)
    press(desk, after, 1)
    assert not desk.match.steps, "the screen has not shown it yet"
    assert isinstance(desk.panel, ProposalPanel)
    press(desk, after, 2)
    assert desk.match.steps[0] == ADVANCE
    done = len(desk.match.steps)
    for times in (3, 4):
        press(desk, desk.match.position, times)
        desk.wait(9.0)
    assert len(desk.match.steps) == done, "nothing is offered now"


def test_another_scene_in_front_of_the_table_is_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(after).wait(OFFERED_S)
    assert isinstance(desk.panel, ProposalPanel)
    desk.app.touch(Intent("score"))
    press(desk, after, 1)
    assert desk.match.steps == ()
