"""Setting up a box of General Orders, on the pages of a new game: what goes where, for the board chosen."""

from __future__ import annotations

from functools import partial

from companion.content.board_choice import boards
from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.learn.lesson import Box, Lesson, Tutorial, no_other_game
from companion.scenes.setup.board import board_note
from companion.scenes.setup.chance import ChanceScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.setup.state import SetUp
from companion.systems.orders import SYSTEM
from companion.text.orders import board_title, bonus_title, faction_name, join_words
from companion.ui.screen import Intent
from engine.orders.board import Board, load_board

NEXT, ALL, TICKS = Intent("next"), Intent("all"), ("tick",)


def boxes() -> tuple[Box, ...]:
    """Return the guide to setting up the box of each board."""
    return tuple(
        Box(board.name, board_title(board), board_note(board), partial(orders_box, board.name)) for board in boards()
    )


def orders_box(name: str) -> Tutorial:
    """Guide players through unpacking and laying out the box of the board with this name.

    The lessons are the round marker, the tokens, each side's units, and what lies beside the board. At the end a
    new game begins.
    """
    board = load_board(name)

    def begin(stage: Stage, home: Scene) -> Scene:
        setup = SetUp(stage)
        setup.play(name)
        return ChanceScene(setup, SetupScene(stage, home, no_other_game))

    ending = _("The table is ready. A new game leads you through the same steps – or touch Quick start there, and "
               "Gunbai flips and draws for you.")  # fmt: skip
    units = (_units(board, faction) for faction in board.factions)
    return Tutorial(SYSTEM.name, begin, (*_chance(board), *units, *_rest(board)), ending)


def _chance(board: Board) -> tuple[Lesson, ...]:
    first, tokens = board.factions[0], _drawn(board)
    drawn = join_words(bonus_title(board, token) for token in tokens)
    suppose = _("Shuffle the bonus tokens face down and put one, face up, on each slot that glows. Suppose you draw "
                "{tokens}: touch each, then Next.")  # fmt: skip
    return (
        Lesson(
            board_title(board),
            _("Unfold the board between you. On screen it lies the same way: {near} sits on its side. Touch what's "
              "highlighted while your hands do the same.").format(near=faction_name(first)),
            names=("picture",),
        ),
        Lesson(
            _("Round marker"),
            _("Flip it like a coin: the side that comes up goes first and has the initiative. Suppose it's {who}.")
            .format(who=faction_name(first)),
            (Intent("initiative", first),),
        ),
        Lesson(
            _("Bonus tokens"),
            suppose.format(tokens=drawn),
            (*(Intent("token", token) for token in tokens), NEXT),
            tuple(area.name for area in board.areas if area.slot),
        ),
    )  # fmt: skip


def _drawn(board: Board) -> tuple[str, ...]:
    """Choose example tokens, one for each slot; if one must stay in the box, the last of those allowed to."""
    out = board.mode.one_stays_out[-1:]
    return tuple(token for token in board.mode.tokens if token not in out)[: len(board.slots)]


def _units(board: Board, faction: str) -> Lesson:
    areas = tuple(area.name for area in board.areas if any(who == faction for who, _unit, _n in area.start))
    text = _("Put {who}'s units where the map glows, as many as it says. Ticking them off is up to you: touch Done "
             "when all are there.")  # fmt: skip
    return Lesson(
        _("{who}: units on the board").format(who=faction_name(faction)),
        text.format(who=faction_name(faction)),
        (ALL,),
        (*areas, *TICKS),
    )


def _rest(board: Board) -> tuple[Lesson, ...]:
    slots = tuple(area.name for area in board.areas if area.slot)
    beside = _("Each player takes their commanders, and keeps all other units as the reserve. Shuffle the cards, "
               "and put the round marker on 1.")  # fmt: skip
    return (
        Lesson(
            _("Bonus tokens, face up"),
            _("They lie face up all game: supply a token's area, and its bonus is yours."),
            (ALL,),
            (*slots, *TICKS),
        ),
        Lesson(_("Beside the board"), beside, (ALL,), TICKS),
    )
