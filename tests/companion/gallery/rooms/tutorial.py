"""Learn by playing: the choice of tutorials, and lessons as they are touched."""

from __future__ import annotations

from collections.abc import Callable

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.learn.lesson import LessonScene
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.gallery.rooms.begin import with_trial
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
def tutorial_ruling(hand: Hand) -> None:
    open_tutorial(hand, ROUND)
    touched_until(hand, lambda coach: isinstance(coach.scene, RulingScene))


@scene
def tutorial_end(hand: Hand) -> None:
    open_tutorial(hand, ROUND)
    touched_until(hand, lambda coach: isinstance(coach.scene, EndScene))


@scene
def tutorial_battle_ends(hand: Hand) -> None:
    open_tutorial(hand, BATTLE)
    touched_until(hand, lambda coach: coach.lesson is None)


scenes_after(
    __name__,
    {
        "learn": (with_trial, "Learn by playing"),
        "learn_boxes": (at_home, "Learn by playing", Intent("boxes")),
        "tutorial_begins": (lambda hand: lesson(hand, ROUND, 1),),
        "tutorial_what_you_see": (lambda hand: lesson(hand, ROUND, 2),),
        "tutorial_advance": (lambda hand: lesson(hand, ROUND, 3),),
        "tutorial_advance_form": (lambda hand: lesson(hand, ROUND, 3, 1),),
        "tutorial_why_not": (lambda hand: lesson(hand, ROUND, 4, 1),),
        "tutorial_defence": (lambda hand: lesson(hand, ROUND, 7, 1),),
        "tutorial_cut_off": (lambda hand: lesson(hand, ROUND, 8),),
        "tutorial_plan": (lambda hand: lesson(hand, ROUND, 11, 1),),
        "tutorial_card": (lambda hand: lesson(hand, ROUND, 13),),
        "tutorial_card_chosen": (lambda hand: lesson(hand, ROUND, 13, 1),),
        "tutorial_sail": (lambda hand: lesson(hand, ROUND, 15, 1),),
        "first_whole_game": ("tutorial_end", "A whole game"),
        "tutorial_battle_begins": (lambda hand: lesson(hand, BATTLE, 1),),
        "tutorial_battle_token": (lambda hand: lesson(hand, BATTLE, 3),),
        "tutorial_battle_orders": (lambda hand: lesson(hand, BATTLE, 5),),
        "tutorial_battle_advance": (lambda hand: lesson(hand, BATTLE, 6, 1),),
        "tutorial_battle_charge": (lambda hand: lesson(hand, BATTLE, 7),),
        "tutorial_battle_closing": (lambda hand: lesson(hand, BATTLE, 8),),
        "tutorial_battle_melee": (lambda hand: lesson(hand, BATTLE, 10),),
        "tutorial_duel_deploy": (lambda hand: lesson(hand, DUEL, 2, 1),),
        "tutorial_duel_march": (lambda hand: lesson(hand, DUEL, 6),),
        "tutorial_duel_why_not": (lambda hand: lesson(hand, DUEL, 7, 1),),
        "tutorial_duel_ruling": (lambda hand: lesson(hand, DUEL, 8),),
        "tutorial_duel_attack": (lambda hand: lesson(hand, DUEL, 10, 1),),
        "tutorial_box_begins": (lambda hand: lesson(hand, RIVERS, 1),),
        "tutorial_box_tokens": (lambda hand: lesson(hand, RIVERS, 3, 1),),
        "tutorial_box_units": (lambda hand: lesson(hand, ALPINE, 4),),
        "tutorial_box_beside": (lambda hand: lesson(hand, ALPINE, 7),),
        "tutorial_box_field": (lambda hand: lesson(hand, FIELD, 1),),
        "tutorial_box_division": (lambda hand: lesson(hand, FIELD, 2),),
        "tutorial_box_decks": (lambda hand: lesson(hand, DECKS, 2),),
    },
)
