"""Hints at the table: who may have them, three moves with why and at what risk, one touch fills one in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from companion.app.app import App, SavedGames
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Services, Stage
from companion.scenes.orders.forms import DeployForm
from companion.scenes.orders.hints import HUNG_S, HintPanel, best_ways
from companion.scenes.orders.turn import AreaPanel, TurnPanel, filled_form
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent, Slip
from engine.orders.game import judge, new_game
from engine.orders.odds import step_odds
from engine.orders.player import LEVELS, Candidate, Reason, choose
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests import play
from tests.boards.practice import BOARDS
from tests.companion.orders.solo.playing import SlowThinking, SoloHand
from tests.companion.orders.turn.playing import scene
from tests.companion.touching import Hand
from tests.engine.orders.player.positions import last_turns

ADVANCE = 2
"""The place of the move to d1 among the three, from 0."""


@pytest.fixture
def slow() -> SlowThinking:
    return SlowThinking()


@pytest.fixture
def table(slow: SlowThinking) -> Hand:
    """Return a game in which hints are on, and nothing is thought through yet."""
    hand = Hand(App(Stage(Services(SavedGames(), thinking=slow)))).start()
    scene(hand).hints.allowed = True
    return hand


def shown(hand: Hand, slow: SlowThinking) -> list[Slip]:
    """Return what is shown of a hint that is asked for: the first of its moves."""
    hand.press("Hint")
    hand.app.tick(0.0)
    slow.thoughts[-1].ready = True
    hand.app.tick(0.1)
    return hand.blocks(Slip)


def test_hints_are_off_until_both_agree(hand: Hand) -> None:
    hand.start()
    assert "Hint" not in hand.labels
    hand.app.touch(Intent("menu"))
    hand.press("More", "Hints")
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "red"))
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "black"))
    assert "Hint" in hand.labels
    hand.app.touch(Intent("menu"))
    hand.press("More", "Hints")
    assert isinstance(hand.app.scene, BoardTable), "either of them may do without again"
    assert "Hint" not in hand.labels
    hand.app.touch(Intent("hint"))
    assert isinstance(scene(hand).panel, TurnPanel)


def test_three_moves_are_shown_one_at_a_time_here_and_on_the_map(table: Hand, slow: SlowThinking) -> None:
    first = shown(table, slow)
    for number in range(3):
        [slip] = table.blocks(Slip)
        assert f"Good move {number + 1} of 3" in table.text()
        if number == ADVANCE:
            assert slip.title.endswith("% · Advance to d1 with 1 troop from e1")
            assert slip.text == "Takes d1: 1 point."
        drawn = table.picture
        [space] = [space.name for space in drawn.spaces if space.chosen] or [""]
        assert space.partition(":")[2] in slip.title
        arrows = [(trace.kind, trace.start, trace.end) for trace in drawn.traces]
        assert (("move", "e1", "d1") in arrows) == (number == ADVANCE), "one at a time"
        table.press("Next move")
    assert table.blocks(Slip) == first, "and round again"


@pytest.mark.long
def test_the_same_hint_is_there_again_until_the_game_goes_on(table: Hand, slow: SlowThinking) -> None:
    shown(table, slow)
    table.press("Back", "Hint")
    assert len(slow.thoughts) == 1
    table.app.touch(Intent("take", "", ADVANCE))
    panel = scene(table).panel
    assert isinstance(panel, DeployForm)
    assert panel.step() == Deploy("advance:d1", moves=(("e1", "troop", 1),))
    assert scene(table).match.steps == (), "one touch fills it in, and only confirming records it"
    table.press("Deploy")
    assert scene(table).match.steps == (panel.step(),)
    assert len(shown(table, slow)) == 1
    assert len(slow.thoughts) == 2


LEAVING: dict[str, Callable[[Hand], object]] = {
    "back": lambda hand: hand.press("Back"),
    "an area": lambda hand: hand.area("d5"),
    "a space": lambda hand: hand.space("advance:c4"),
    "the menu": lambda hand: hand.app.touch(Intent("menu")),
    "a step": lambda hand: scene(hand).refresh(),
}


@pytest.mark.parametrize("way", LEAVING)
def test_leaving_stops_it(table: Hand, slow: SlowThinking, way: str) -> None:
    table.press("Hint")
    table.app.tick(0.0)
    assert table.text().startswith("Looking for good moves")
    LEAVING[way](table)
    assert way != "an area" or isinstance(scene(table).panel, AreaPanel), "the table is usable while it thinks"
    table.app.tick(0.1)
    assert slow.thoughts[0].stopped
    assert len(slow.thoughts) == 1
    if way == "the menu":
        table.press("Back")
        table.app.tick(0.2)
        assert len(slow.thoughts) == 2, "it begins anew where it is shown again"


@pytest.mark.parametrize("fails", [True, False], ids=["fails", "hangs"])
def test_a_thought_that_fails_or_hangs_is_ended_and_said_and_the_game_goes_on(
    table: Hand, slow: SlowThinking, fails: bool
) -> None:
    table.press("Hint")
    table.app.tick(5.0)
    slow.thoughts[0].fails = fails
    version = table.app.version
    table.app.tick(5.0 + HUNG_S - 1.0)
    assert table.text().startswith("No hint this time" if fails else "Looking for good moves")
    table.app.tick(5.0 + HUNG_S)
    assert slow.thoughts[0].stopped
    assert table.app.version > version
    assert table.text().startswith("No hint this time")
    table.press("Back")
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_pass_is_confirmed_where_the_turn_begins(table: Hand) -> None:
    panel = HintPanel(scene(table).match.position, scene(table).stage.services.thinking)
    panel.candidates = (Candidate(Pass(), 0.5, (), ()),)
    scene(table).open(panel)
    table.app.touch(Intent("take"))
    assert isinstance(scene(table).panel, TurnPanel)
    assert scene(table).match.steps == ()


def test_the_odds_of_winning_at_once_are_told_once(slow: SlowThinking) -> None:
    position = last_turns("sengoku-rivers", ({"e3": 3, "d4": 1, "c3": 1, "b3": 5}, {"a3": 1}), (2, 2))
    turn = Deploy("advance:a3", moves=(("b3", "troop", 4),))
    [odds] = step_odds(position, turn)
    panel = HintPanel(position, slow)
    panel.candidates = (Candidate(turn, 1.0, (odds,), (Reason("wins"), Reason("takes", ("a3",)))),)
    assert [block.text for block in panel.show().blocks if isinstance(block, Slip)] == ["Wins the game. Takes a3."]
    panel.candidates = (Candidate(turn, 1.0, (odds,), (Reason("takes", ("a3",)),)),)
    [slip] = [block for block in panel.show().blocks if isinstance(block, Slip)]
    assert slip.text.startswith("Takes a3. Red takes a3")
    assert slip.text.endswith("a headquarters falls and the game ends.")


def test_one_space_of_an_action_on_the_support_board_is_enough() -> None:
    position = new_game("sengoku-rivers", "red", {})
    plans = [Candidate(Deploy(f"plan:{n}", draw=3 - n), 0.5 - n / 10, (), ()) for n in (2, 1)]
    others = [Candidate(Deploy(f"advance:{area}"), 0.45, (), ()) for area in ("c4", "d1", "c5")]
    assert best_ways(position, [*plans, *others]) == (others[0], others[1], others[2])
    assert best_ways(position, plans) == (plans[1],)


def opening(board: str, seed: int) -> list[Position]:
    """Return positions at the beginning of a turn, with cards in the mover's hand."""
    starts = [start for start in play.turn_starts(play.game(board, seed)) if not start.discard]
    hand = tuple(sorted(starts[0].board.mode.deck))[:2]
    return [replace(start, hands=(hand, 2) if start.to_move == 0 else (2, hand)) for start in starts[1::5]][:3]


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS)
def test_each_move_is_filled_in_as_it_was_thought_of(board: str) -> None:
    for position in opening(board, 5):
        choice = choose(position, position.to_move_name, LEVELS["child"], Random(1))
        for turn in (candidate.turn for candidate in choice.candidates):
            if isinstance(turn, Deploy):
                step = filled_form(position, turn).step()
                assert isinstance(step, Deploy)
                assert plain(step) == plain(turn)
                assert judge(position, step).legal or isinstance(step.draw, tuple)


def plain(step: Deploy) -> Deploy:
    """Return the turn with its loads in order; which cards are drawn is told later."""
    return replace(
        step, moves=tuple(sorted(step.moves)), place=tuple(sorted(step.place)), draw=None if step.draw is None else 0
    )


@pytest.mark.long
def test_it_does_not_change_with_what_may_not_be_seen(table: Hand, slow: SlowThinking) -> None:
    position = new_game("sengoku-rivers", "red", {})
    cards = sorted(position.board.mode.deck)
    told = []
    for hidden in (2, tuple(cards[:2]), tuple(cards[-2:])):
        panel = HintPanel(replace(position, hands=(1, hidden)), slow)
        panel.think()
        slow.thoughts[-1].ready = True
        assert panel.think()
        told.append(panel.show())
    assert told[0] == told[1] == told[2]


def test_a_hint_alone_knows_the_own_cards_that_were_noted_and_changes_once_more_is_known(
    alone: Callable[..., SoloHand],
) -> None:
    hand = alone()
    assert "Hint" in hand.labels
    hints, position = hand.table.hints, hand.match.position
    first = hints.panel_for(position, position)
    assert isinstance(first, HintPanel)
    assert hints.panel_for(position, position) is first
    hand.play(Deploy("plan:1", draw=1))
    match, private = hand.match, hand.table.stage.services.private
    private.put(match, match.position, "black", "ambush")
    assert hand.table.hint_position().hands == match.position.hands == (1, ())
    private.put(match, match.position, "red", "ambush")
    known = hints.panel_for(position, hand.table.hint_position())
    assert known is not first
    assert known.known.hands == (("ambush",), ())
