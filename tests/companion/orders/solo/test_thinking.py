"""How the app thinks of its turn: beside the screen, for as long as it may, and what it plays when told to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.cues import Sayings
from companion.games.opponent import PACES, Opponent
from companion.scenes.orders.announced import HUNG_S, LONGEST_S, AnnouncedPanel, ThinkingPanel, turn_wanted
from companion.scenes.orders.turn import TurnPanel
from companion.thinking.player import TurnWanted, choice, choices
from companion.ui.screen import Intent
from engine.orders.player import Choice, view_of
from engine.orders.steps import Deploy, Pass
from tests.companion.equip import equip
from tests.companion.orders.solo.playing import ADVANCE, Alone, SlowThinking, SoloHand

ENDED_S = LONGEST_S["usual"] + HUNG_S


def thinking(hand: SoloHand) -> SlowThinking:
    """From now on thoughts take as long as the test wants."""
    slow = SlowThinking()
    equip(hand.app.stage, thinking=slow)
    return slow


def thinking_of(alone: Alone) -> tuple[SoloHand, SlowThinking]:
    """Begin a game in which the app, its turn come by a pass, thinks as long as the test wants."""
    hand = alone()
    slow = thinking(hand)
    return hand.play(Pass()), slow


def test_while_it_thinks_the_screen_goes_on_and_shows_the_turn_by_itself(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    assert isinstance(hand.panel, ThinkingPanel)
    assert "Gunbai is thinking." in hand.text()
    hand.app.touch(Intent("confirm"))
    version = hand.wait().app.version
    assert isinstance(hand.panel, ThinkingPanel)
    slow.thoughts[0].ready = True
    assert hand.wait().app.version > version, "it is drawn anew"
    assert isinstance(hand.panel, AnnouncedPanel)
    assert len(slow.thoughts) == 1, "it thinks once"


def test_a_thought_that_nobody_needs_any_more_is_stopped(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    hand.press("Undo")
    assert isinstance(hand.panel, TurnPanel)
    hand.play(ADVANCE)
    assert (len(slow.thoughts), slow.thoughts[0].stopped) == (2, True)


def test_behind_another_screen_the_thought_goes_on(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    hand.app.touch(Intent("menu"))
    slow.thoughts[0].ready = True
    hand.wait().app.touch(Intent("back"))
    assert isinstance(hand.panel, AnnouncedPanel)


def at_a_glance(hand: SoloHand) -> Deploy | Pass:
    return next(choice(TurnWanted(hand.match.position, "black", "child", hand.table.opponent.seed_at(1), 0.0))).turn


def test_a_thought_that_hangs_is_ended_and_the_game_goes_on(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    hand.wait(5.0).wait(ENDED_S - 1.0)
    assert isinstance(hand.panel, ThinkingPanel)
    assert not slow.thoughts[0].stopped
    version = hand.app.version
    hand.wait(1.0)
    assert slow.thoughts[0].stopped
    assert "took too long" in hand.screen.banner
    assert hand.app.version > version, "it is drawn anew"
    assert hand.announced.step == at_a_glance(hand)
    hand.press("Done")
    assert len(slow.thoughts) == 1


def test_each_thought_has_its_own_time(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    hand.wait(ENDED_S - 1.0).press("Undo").wait().play(ADVANCE).wait(ENDED_S - 1.0)
    assert isinstance(hand.panel, ThinkingPanel)
    assert [thought.stopped for thought in slow.thoughts] == [True, False]


def test_without_a_process_to_think_in_it_takes_the_best_at_a_glance(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    slow.thoughts[0].fails = True
    assert hand.announced.step == at_a_glance(hand)


def some_choices(hand: SoloHand) -> list[Choice]:
    """Return what it finds on the way to its turn."""
    opponent = replace(hand.table.opponent, level="even")
    return list(choices(turn_wanted(opponent, view_of(hand.match.position, 1), 1)))


@pytest.mark.parametrize("told", [True, False], ids=["told", "hangs"])
def test_told_to_play_or_where_it_hangs_it_takes_the_best_turn_found_so_far(alone: Alone, told: bool) -> None:
    hand, slow = thinking_of(alone)
    glance, better, *_best = some_choices(hand)
    slow.thoughts[0].found = (glance, better)
    assert isinstance(hand.wait().panel, ThinkingPanel)
    if told:
        hand.press("Play now")
    else:
        hand.wait(ENDED_S)
    assert hand.announced.step == better.turn
    assert slow.thoughts[0].stopped


def test_told_to_play_before_it_has_found_anything_it_plays_the_first_thing_it_finds(alone: Alone) -> None:
    hand, slow = thinking_of(alone)
    hand.press("Play now")
    assert isinstance(hand.wait().panel, ThinkingPanel)
    glance, *_better = some_choices(hand)
    slow.thoughts[0].found = (glance,)
    assert hand.wait().announced.step == glance.turn


def test_who_takes_its_time_looks_further_and_may_think_for_longer(alone: Alone) -> None:
    view = view_of(alone().match.position, 1)
    usual, slow = (turn_wanted(Opponent("black", "even", 4, pace), view, 1) for pace in PACES)
    assert slow.at_level().iterations > 4 * usual.at_level().iterations
    assert slow.seconds > usual.seconds
    assert slow.seed == usual.seed


def test_what_it_does_is_said_aloud_once_it_is_known(alone: Alone) -> None:
    hand, sayings = alone(), Sayings()
    assert sayings.saying(hand.table, ()) == "Red's turn."
    slow = thinking(hand)
    hand.play(ADVANCE)
    assert sayings.saying(hand.table, ()) == ""
    slow.thoughts[0].ready = True
    told = f"{hand.announced.deed()}."
    assert sayings.saying(hand.table, ()) == told
    assert sayings.saying(hand.table, ()) == "", "once"
    hand.press("Done")
    assert sayings.saying(hand.table, ()) == "Red's turn."
