"""The first turns of the card game: a general is paid for, equipped, and attacks.

Everything that is said of it here is checked against the engine by the test that plays it.
"""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.generals.table import DuelTable
from companion.scenes.learn.lesson import Lesson, Tutorial
from companion.ui.screen import Intent

DECKS = {"red": "practice-cranes", "black": "practice-wolves"}
CONFIRM, END = Intent("confirm"), Intent("end")
CAPTAIN = Intent("general", "red/crane_captain")
BOTH = (CAPTAIN.what, "black/pine_wall")


def card(name: str) -> Intent:
    """A touch on a card of the list."""
    return Intent("card", name)


def first_duel() -> Tutorial:
    """All of it, in the language in use."""
    ending = _("That's the heart of it: deploy, equip, move, attack, and keep enough resources for upkeep. Your "
               "cards stay in your hand; Gunbai only counts them.")  # fmt: skip
    return Tutorial("generals", _begin, (*_deploy(), *_march(), *_attack()), ending)


def _begin(stage: Stage, home: Scene) -> Scene:
    """Two practice decks, Red first."""
    match = stage.services.games.start({"system": "generals", "decks": DECKS, "first": "red"})
    return DuelTable(stage, match, home)


def _deploy() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Your first card game"),
            _("Two cities, two practice decks, and you play both sides – no cards needed. Defeat the enemy's "
              "castle, or let them run out of resources."),
            names=("picture",),
        ),
        Lesson(
            _("Deploy"),
            _("Red plays a general from hand: Deploy, then Crane Captain. It costs 2, paid with 2 other cards "
              "from hand. Confirm."),
            (Intent("deploy"), card("crane_captain"), CONFIRM),
        ),
        Lesson(
            _("Upkeep"),
            _("It just arrived, so it can't act yet. When you end a turn, each of your generals costs one card "
              "of your resources. End the turn."),
            (END,),
        ),
        Lesson(
            _("Black's turn"),
            _("Black deploys Pine Wall. It arrives outside Black's city, in your way. Then Black ends the turn."),
            (Intent("deploy"), card("pine_wall"), CONFIRM, END),
        ),
    )  # fmt: skip


def _march() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Equip"),
            _("Captains fight better armed. Equip: a Long Spear adds 2 military points, and costs one card."),
            (Intent("equip"), card("long_spear"), CONFIRM),
        ),
        Lesson(
            _("March"),
            _("Touch the captain on the battlefield, then send it to the opponent's city."),
            (CAPTAIN, Intent("go", "siege")),
            BOTH,
        ),
        Lesson(
            _("Why not?"),
            _("Pine Wall is right there! Touch the captain and try to attack."),
            (CAPTAIN, Intent("attack", "pine_wall")),
            BOTH,
        ),
        Lesson(
            _("A ruling"),
            _("A general moves or attacks, once a turn. Gunbai names the rule. Go back."),
            (Intent("back"), Intent("cancel")),
        ),
        Lesson(
            _("Wait a turn"),
            _("Red ends the turn. Black doesn't dare to attack, and ends its turn too."),
            (END, END),
        ),
    )  # fmt: skip


def _attack() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Attack"),
            _("Touch the captain, attack Pine Wall: 6 military points against 4. Compare before you commit – "
              "there are no dice. Confirm."),
            (CAPTAIN, Intent("attack", "pine_wall"), CONFIRM),
            BOTH,
        ),
        Lesson(
            _("Defeated"),
            _("Pine Wall is gone, and nothing stands before Black's castle. Next turn the captain can attack it."),
            names=("picture",),
            status=True,
        ),
    )  # fmt: skip
