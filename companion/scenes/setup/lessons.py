"""General Orders lessons: a fixed last round on the Rivers board; and how to set up each box.

A test plays the lessons, and so checks against the engine what they say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.content.board_choice import boards
from companion.core.language import _
from companion.games.match import Match
from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.learn.lesson import Box, Lesson, Tutorial, Tutorials, no_other_game
from companion.scenes.setup.layout import ChanceScene, LayoutScene
from companion.scenes.setup.setup import SetupScene, board_note
from companion.scenes.setup.state import SetUp
from companion.scenes.table.board_table import BoardTable
from companion.systems.orders import SYSTEM
from companion.text.orders import board_title, bonus_title, faction_name, join_words
from companion.ui.screen import Intent
from engine.orders.board import Board, load_board
from engine.orders.steps import Agreed, OtherCorrections

BOARD = "sengoku-rivers"
UNITS: Mapping[str, tuple[str, str, int]] = {  # who stands where when the first game begins
    "d1": ("red", "troop", 1),
    "d3": ("red", "troop", 2),
    "d4": ("red", "ship", 1),
    "d5": ("red", "troop", 3),
    "e1": ("red", "troop", 1),
    "e3": ("red", "troop", 2),
    "e4": ("red", "ship", 2),
    "a3": ("black", "troop", 2),
    "a4": ("black", "ship", 1),
    "b3": ("black", "troop", 1),
    "b5": ("black", "troop", 2),
    "c2": ("black", "ship", 1),
    "c4": ("black", "troop", 4),
    "d2": ("black", "troop", 3),
}
COMMANDERS = 3
CONFIRM = Intent("confirm")
NEXT, ALL, TICKS = Intent("next"), Intent("all"), ("tick",)


def area(name: str) -> Intent:
    """Return the intent of a touch on this area of the map."""
    return Intent("area", name)


def die(face: int) -> Intent:
    """Return the intent of a touch on this face of the die."""
    return Intent("die", "", face)


def first_round() -> Tutorial:
    """Return the tutorial on a first round, in the language in use."""
    ending = _(
        "That's it! Red wins the tie by initiative – Gunbai names the rule. Next: a whole game of four rounds against "
        "Gunbai at its gentlest. No coach, but a hint whenever you want one."
    )
    lessons = (*_advance(), *_conflict(), *_plan(), *_card(), *_end())
    return Tutorial(SYSTEM.name, _begin, lessons, ending, first_game)


def first_game(stage: Stage, home: Scene) -> Scene:
    """Begin a whole game against the app at its gentlest, set up by chance; return the guide to laying it out."""
    page = SetupScene(stage, home, no_other_game)
    _one, other = page.setup.board.factions
    page.setup.let_app_play(other)
    page.setup.level, page.setup.pace = "first", "usual"
    return LayoutScene(stage, page.setup.start(), page)


def _begin(stage: Stage, home: Scene) -> Scene:
    """Open a table in the last round of a game, with Red to move and the initiative with Black."""
    match = stage.services.games.start({"board": BOARD, "initiative": "black", "bonuses": {}})
    board = load_board(BOARD)
    areas = tuple((area.name, (UNITS[area.name],) if area.name in UNITS else ()) for area in board.areas)
    left = tuple((faction, COMMANDERS) for faction in board.factions)
    besides = OtherCorrections(left=left, round=board.mode.rounds, initiative="black")
    ruling = match.offer(Agreed(areas=areas, to_move="red", other=besides))
    assert ruling.legal, ruling.objections
    assert isinstance(match, Match)
    return BoardTable(stage, match, home)


def _advance() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Your first game"),
            _("Leave the game in the box – we'll play on screen. It's the last round and you play both sides: "
              "just touch what's highlighted. Gold numbers are victory points: the side that supplies more of "
              "them at the end wins."),
            names=("picture",),
        ),
        Lesson(
            _("What you see"),
            _("Here's where you find points, commanders left to place and cards in hand. Black leads 4 to 2 and "
              "has the initiative."),
            status=True,
        ),
        Lesson(
            _("Advance"),
            _("On your turn you send one commander to one action space. c5 is empty and worth 2 points: touch "
              "it. Send two troops from d5; the last one always stays behind. Then touch Deploy."),
            (area("c5"), CONFIRM),
            ("d5",),
        ),
    )  # fmt: skip


def _conflict() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Why not?"),
            _("Black wants c5 too. Touch it, then its space. Gunbai tells you why a move isn't allowed, and "
              "where the rulebook says so."),
            (area("c5"), Intent("space", "advance:c5")),
        ),
        Lesson(
            _("A ruling"),
            _("This is a ruling: what's wrong, and where the rulebook says so. Go back to the table."),
            (Intent("back"),),
        ),
        Lesson(
            _("A conflict"),
            _("So Black goes for d5 instead, where one red troop is left. Touch d5 and send three troops from c4."),
            (area("d5"), CONFIRM),
            ("c4",),
        ),
        Lesson(
            _("Defence"),
            _("The defender rolls one die, and the attacker loses that many units. Suppose it shows a 1: touch "
              "that face, then confirm."),
            (die(1), CONFIRM),
        ),
        Lesson(
            _("Cut off"),
            _("The die killed one attacker, then both sides lost one for one: Black takes d5. That cuts off c5: "
              "no red chain links it to the headquarters in e3, so its 2 points don't count."),
            names=("c5", "d5"),
            status=True,
        ),
    )  # fmt: skip


def _plan() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("A slip of the finger"),
            _("A wrong touch costs nothing. Try it: let Red pass."),
            (Intent("pass"),),
        ),
        Lesson(
            _("Undo"),
            _("Oops – Red didn't mean that. Touch Undo: you can undo every step, one after another."),
            (Intent("undo"),),
        ),
        Lesson(
            _("Plan"),
            _("Plan draws cards. Its first space also gives you the initiative, which breaks ties. Touch Plan 1, "
              "then Deploy, and draw one card from the deck."),
            (Intent("space", "plan:1"), CONFIRM),
        ),
    )  # fmt: skip


def _card() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Another attack"),
            _("Suppose the card is Ambush, and Black doesn't know. Touch d3 and send two troops from d2."),
            (area("d3"), CONFIRM),
            ("d2",),
        ),
        Lesson(
            _("A card"),
            _("Ambush gives the defender two extra dice and must be played before the roll. Gunbai offers a card "
              "exactly when you may play it. Touch it."),
            (Intent("window"), Intent("play", "red/ambush")),
        ),
        Lesson(
            _("Three dice"),
            _("Suppose they show 1, 0 and 1. Both attackers fall, and d3 stays red."),
            (die(1), die(0), die(1), CONFIRM),
        ),
    )  # fmt: skip


def _end() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Fix the supply line"),
            _("Red's last commander. A ship in c6 links c5 to e4, and so to the headquarters. Touch c6, send one "
              "ship from e4 and touch Deploy."),
            (area("c6"), CONFIRM),
            ("e4",),
        ),
        Lesson(
            _("In supply again"),
            _("c5 counts again: 4 to 4. Initiative breaks ties, and Red took it with Plan."),
            names=("c5",),
            status=True,
        ),
        Lesson(
            _("The last turn"),
            _("Black has one commander left and nothing to gain. Let Black pass: the game ends and is scored."),
            (Intent("pass"),),
        ),
    )  # fmt: skip


def boxes() -> tuple[Box, ...]:
    """Return a tutorial on setting up the box for each board."""
    return tuple(
        Box(board.name, board_title(board), board_note(board), partial(orders_box, board.name)) for board in boards()
    )


def orders_box(name: str) -> Tutorial:
    """Return the tutorial on unpacking and laying out the box of the board with this name.

    Its lessons are the round marker, the tokens, each side's units, and what lies beside the board.
    """
    board = load_board(name)

    def begin(stage: Stage, home: Scene) -> Scene:
        setup = SetUp(stage)
        setup.choose_board(name)
        return ChanceScene(setup, SetupScene(stage, home, no_other_game))

    ending = _("The table is ready. A new game leads you through the same steps – or touch Quick start there, and "
               "Gunbai flips and draws for you.")  # fmt: skip
    units = (_units(board, faction) for faction in board.factions)
    return Tutorial(SYSTEM.name, begin, (*_chance(board), *units, *_rest(board)), ending)


def _chance(board: Board) -> tuple[Lesson, ...]:
    first, out = board.factions[0], board.mode.one_stays_out[-1:]  # of those that may stay in the box, the last does
    tokens = tuple(token for token in board.mode.tokens if token not in out)[: len(board.slots)]
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


TUTORIALS = Tutorials(
    lambda: _("General Orders: your first round"),
    lambda: _("The last round of a game, 17 short steps."),
    first_round,
    boxes,
    lambda: small_map(start_picture(load_board(BOARD))),
)
