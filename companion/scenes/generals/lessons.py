"""Lessons on the card game: a general is paid for, equipped, and attacks; and how to lay out the cards.

A test plays the lessons, and so checks against the engine what they say.
"""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.generals.decks import deck_picture
from companion.scenes.generals.setup import SYSTEM, DuelSetupScene, FirstScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.learn.lesson import Box, Lesson, Tutorial, Tutorials, no_other_game
from companion.text.saved_games import kind, system_title
from companion.ui.screen import Intent
from engine.generals.cards import deck_names, load_deck

DECKS = {"red": "practice-cranes", "black": "practice-wolves"}
END, NEXT = Intent("end"), Intent("next")
CAPTAIN = Intent("general", "red/crane_captain")
BOTH = (CAPTAIN.what, "black/pine_wall")


def card(name: str) -> Intent:
    """Return the intent of a touch on a card in the list."""
    return Intent("card", name)


def first_duel() -> Tutorial:
    """Return all lessons on a first duel, in the language in use."""
    ending = _("That's the heart of it: deploy, equip, move, attack, and keep enough resources for upkeep. Your "
               "cards stay in your hand; Gunbai only counts them.")  # fmt: skip

    def begin(stage: Stage, home: Scene) -> Scene:
        match = stage.services.games.start({"system": SYSTEM, "decks": DECKS, "first": "red"})
        return DuelTable(stage, match, home)

    return Tutorial(SYSTEM, begin, (*_deploy(), *_march(), *_attack()), ending)


def _deploy() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Your first card game"),
            _("Two cities, two practice decks, and you play both sides – no cards needed. A player who can't pay "
              "castle damage or upkeep with resource cards loses."),
            names=("picture",),
        ),
        Lesson(
            _("Deploy"),
            _("Red plays a general from hand: Deploy, then Crane Captain. It costs 2, paid with 2 other cards "
              "from hand."),
            (Intent("deploy"), card("crane_captain")),
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
            (Intent("deploy"), card("pine_wall"), END),
        ),
    )  # fmt: skip


def _march() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Equip"),
            _("Captains fight better armed. Equip: a Long Spear adds 2 military points, and costs one card."),
            (Intent("equip"), card("long_spear")),
        ),
        Lesson(
            _("On the march"),
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
            _("Red ends the turn. Black doesn't attack – 4 against 6 – and ends its turn too."),
            (END, END),
        ),
    )  # fmt: skip


def _attack() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Attack"),
            _("Touch the captain, attack Pine Wall: 6 military points against 4. The button tells you the outcome – "
              "there are no dice."),
            (CAPTAIN, Intent("attack", "pine_wall")),
            BOTH,
        ),
        Lesson(
            _("Defeated"),
            _("Pine Wall is gone, and nothing stands before Black's castle. Next turn the captain can attack it."),
            names=("picture",),
            status=True,
        ),
    )  # fmt: skip


def duel_box() -> Tutorial:
    """Return the lessons on setting up the card game: who goes first, and what each player lays out."""

    def begin(stage: Stage, home: Scene) -> Scene:
        return FirstScene(DuelSetupScene(stage, home, no_other_game))

    def did(n: int) -> Intent:
        return Intent("did", "", n)

    lessons = (
        Lesson(
            _("Who goes first?"),
            _("Each player cuts their deck; the higher cost decides who goes first. Suppose Red cuts a 1 and Black "
              "a 0, and Red wants to go first."),
            (Intent("cut", "red", 1), Intent("first", "red"), NEXT),
        ),
        Lesson(
            _("Resources"),
            _("Shuffle your deck and put it beside your city, face down: your resources. Upkeep comes out of it."),
            (did(0),),
        ),
        Lesson(
            _("Factions and hands"),
            _("Say which factions you play: they set your hand limit. Then both draw 5 cards."),
            (did(1), did(2)),
        ),
        Lesson(
            _("The first turn"),
            _("The first player draws no card on the first turn. Leave room for two rows of generals each: inside "
              "and outside the city."),
            (did(3), Intent("begin")),
        ),
    )  # fmt: skip
    ending = _("You're set up. Hands stay hidden: Gunbai only counts cards.")
    return Tutorial(SYSTEM, begin, lessons, ending)


TUTORIALS = Tutorials(
    lambda: _("Generals Order: your first fight"),
    lambda: _("A general is deployed, armed and attacks."),
    first_duel,
    lambda: (Box(SYSTEM, system_title(SYSTEM), kind(SYSTEM), duel_box),),
    lambda: deck_picture(load_deck(deck_names()[0])),
)
