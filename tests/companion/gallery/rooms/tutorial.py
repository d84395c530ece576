"""Learn by playing: the choice of tutorials, and lessons as they are touched."""

from __future__ import annotations

from collections.abc import Callable

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.learn.lesson import LessonScene
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene
from tests.companion.gallery.rooms.begin import trial
from tests.companion.touching import Hand

ROUND, BATTLE, DUEL = (Intent("first", system) for system in ("orders", "sonae", "generals"))
RIVERS, ALPINE = (Intent("box", name) for name in ("sengoku-rivers", "wwii-alpine"))
FIELD, DECKS = (Intent("box", system) for system in ("sonae", "generals"))
MOST = 60


def touched_until(hand: Hand, there: Callable[[LessonScene], bool]) -> None:
    """Touch the highlighted spot until the tutorial is there."""
    for _touch in range(MOST):
        coach = hand.app.scene
        assert isinstance(coach, LessonScene)
        if there(coach):
            return
        hand.app.touch(coach.wanted)
    raise AssertionError("the tutorial never comes there")


def lesson(hand: Hand, tutorial: Intent, number: int, touches: int = 0) -> None:
    """Open a lesson by its number, from 1, so many touches after it began."""
    open_tutorial(hand, tutorial)
    touched_until(hand, lambda coach: (coach.number, coach.touched) == (number - 1, touches))


def open_tutorial(hand: Hand, tutorial: Intent) -> None:
    """From home to a tutorial, or to the set-up of a box."""
    hand.press("Learn by playing")
    if tutorial.verb != "first":
        hand.app.touch(Intent("boxes"))
    hand.app.touch(tutorial)


@scene
def learn(hand: Hand) -> None:
    equip(hand.app.stage, trial=trial)
    hand.press("Learn by playing")


@scene
def learn_boxes(hand: Hand) -> None:
    hand.press("Learn by playing").app.touch(Intent("boxes"))


@scene
def tutorial_begins(hand: Hand) -> None:
    lesson(hand, ROUND, 1)


@scene
def tutorial_what_you_see(hand: Hand) -> None:
    lesson(hand, ROUND, 2)


@scene
def tutorial_advance(hand: Hand) -> None:
    lesson(hand, ROUND, 3)


@scene
def tutorial_advance_form(hand: Hand) -> None:
    lesson(hand, ROUND, 3, 1)


@scene
def tutorial_why_not(hand: Hand) -> None:
    lesson(hand, ROUND, 4, 1)


@scene
def tutorial_ruling(hand: Hand) -> None:
    open_tutorial(hand, ROUND)
    touched_until(hand, lambda coach: isinstance(coach.scene, RulingScene))


@scene
def tutorial_defence(hand: Hand) -> None:
    lesson(hand, ROUND, 7, 1)


@scene
def tutorial_cut_off(hand: Hand) -> None:
    lesson(hand, ROUND, 8)


@scene
def tutorial_plan(hand: Hand) -> None:
    lesson(hand, ROUND, 11, 1)


@scene
def tutorial_card(hand: Hand) -> None:
    lesson(hand, ROUND, 13)


@scene
def tutorial_card_chosen(hand: Hand) -> None:
    lesson(hand, ROUND, 13, 1)


@scene
def tutorial_sail(hand: Hand) -> None:
    lesson(hand, ROUND, 15, 1)


@scene
def tutorial_end(hand: Hand) -> None:
    open_tutorial(hand, ROUND)
    touched_until(hand, lambda coach: isinstance(coach.scene, EndScene))


@scene
def first_whole_game(hand: Hand) -> None:
    tutorial_end(hand)
    hand.press("A whole game")


@scene
def tutorial_battle_begins(hand: Hand) -> None:
    lesson(hand, BATTLE, 1)


@scene
def tutorial_battle_token(hand: Hand) -> None:
    lesson(hand, BATTLE, 3)


@scene
def tutorial_battle_orders(hand: Hand) -> None:
    lesson(hand, BATTLE, 5)


@scene
def tutorial_battle_advance(hand: Hand) -> None:
    lesson(hand, BATTLE, 6, 1)


@scene
def tutorial_battle_charge(hand: Hand) -> None:
    lesson(hand, BATTLE, 7)


@scene
def tutorial_battle_closing(hand: Hand) -> None:
    lesson(hand, BATTLE, 8)


@scene
def tutorial_battle_melee(hand: Hand) -> None:
    lesson(hand, BATTLE, 10)


@scene
def tutorial_battle_ends(hand: Hand) -> None:
    open_tutorial(hand, BATTLE)
    touched_until(hand, lambda coach: coach.lesson is None)


@scene
def tutorial_duel_deploy(hand: Hand) -> None:
    lesson(hand, DUEL, 2, 1)


@scene
def tutorial_duel_march(hand: Hand) -> None:
    lesson(hand, DUEL, 6)


@scene
def tutorial_duel_why_not(hand: Hand) -> None:
    lesson(hand, DUEL, 7, 1)


@scene
def tutorial_duel_ruling(hand: Hand) -> None:
    lesson(hand, DUEL, 8)


@scene
def tutorial_duel_attack(hand: Hand) -> None:
    lesson(hand, DUEL, 10, 1)


@scene
def tutorial_box_begins(hand: Hand) -> None:
    lesson(hand, RIVERS, 1)


@scene
def tutorial_box_tokens(hand: Hand) -> None:
    lesson(hand, RIVERS, 3, 1)


@scene
def tutorial_box_units(hand: Hand) -> None:
    lesson(hand, ALPINE, 4)


@scene
def tutorial_box_beside(hand: Hand) -> None:
    lesson(hand, ALPINE, 7)


@scene
def tutorial_box_field(hand: Hand) -> None:
    lesson(hand, FIELD, 1)


@scene
def tutorial_box_division(hand: Hand) -> None:
    lesson(hand, FIELD, 2)


@scene
def tutorial_box_decks(hand: Hand) -> None:
    lesson(hand, DECKS, 2)
