"""The settings, the lock, faults and the self-check, for the gallery."""

from __future__ import annotations

from pathlib import Path

from companion.chosen import Choices
from companion.scenes.settings import SettingsScene
from companion.scenes.settings_pages import pages
from tests.companion.gallery import scene
from tests.companion.touching import Hand


def opened(hand: Hand, *pages_touched: str) -> None:
    """The settings on stage, and the pages below that are touched."""
    hand.app.stage.choices = Choices(Path("chosen.toml"))
    hand.app.scene = SettingsScene(hand.app.stage, hand.app.scene)
    hand.press(*pages_touched)


def _page_scene(name: str) -> None:
    title = pages()[name].title

    def prepare(hand: Hand) -> None:
        opened(hand, title)

    prepare.__name__ = f"settings_{name}"
    scene(prepare)


for _name in pages():
    _page_scene(_name)


@scene
def settings(hand: Hand) -> None:
    opened(hand)


@scene
def settings_language(hand: Hand) -> None:
    opened(hand, "Language")


@scene
def settings_names(hand: Hand) -> None:
    opened(hand, "Names of the players")


@scene
def settings_trial(hand: Hand) -> None:
    opened(hand, "Seats and rotation", "180°")
    hand.app.stage.apply(type(hand.app.stage.settings)())


@scene
def settings_forget(hand: Hand) -> None:
    opened(hand, "Start over")
