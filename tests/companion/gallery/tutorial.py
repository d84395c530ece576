"""The first game, lesson by lesson, as it is touched."""

from __future__ import annotations

from collections.abc import Callable

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.tutorial import NEXT, TutorialScene
from companion.scenes.table.ending import EndScene
from tests.companion.gallery.gallery import scene
from tests.companion.touching import Hand

MOST = 60


def touched_until(hand: Hand, there: Callable[[TutorialScene], bool]) -> None:
    """Touch the highlighted spot until the tutorial is there."""
    hand.press("Learn by playing")
    for _touch in range(MOST):
        coach = hand.app.scene
        assert isinstance(coach, TutorialScene)
        if there(coach):
            return
        hand.app.touch(coach.wanted() or NEXT)
    raise AssertionError("the tutorial never comes there")


def lesson(hand: Hand, title: str, touches: int = 0) -> None:
    """A lesson, so many touches after it began."""
    touched_until(hand, lambda coach: coach.lesson.title == title)
    for _touch in range(touches):
        coach = hand.app.scene
        assert isinstance(coach, TutorialScene)
        hand.app.touch(coach.wanted() or NEXT)


@scene
def tutorial_begins(hand: Hand) -> None:
    hand.press("Learn by playing")


@scene
def tutorial_what_you_see(hand: Hand) -> None:
    lesson(hand, "What you see")


@scene
def tutorial_advance(hand: Hand) -> None:
    lesson(hand, "Advance")


@scene
def tutorial_advance_form(hand: Hand) -> None:
    lesson(hand, "Advance", 1)


@scene
def tutorial_why_not(hand: Hand) -> None:
    lesson(hand, "Why not?", 1)


@scene
def tutorial_ruling(hand: Hand) -> None:
    touched_until(hand, lambda coach: isinstance(coach.scene, RulingScene))


@scene
def tutorial_defence(hand: Hand) -> None:
    lesson(hand, "Defence", 1)


@scene
def tutorial_cut_off(hand: Hand) -> None:
    lesson(hand, "Cut off")


@scene
def tutorial_plan(hand: Hand) -> None:
    lesson(hand, "Plan", 1)


@scene
def tutorial_card(hand: Hand) -> None:
    lesson(hand, "A card")


@scene
def tutorial_card_chosen(hand: Hand) -> None:
    lesson(hand, "A card", 1)


@scene
def tutorial_sail(hand: Hand) -> None:
    lesson(hand, "Fix the supply line", 1)


@scene
def tutorial_end(hand: Hand) -> None:
    touched_until(hand, lambda coach: isinstance(coach.scene, EndScene))
