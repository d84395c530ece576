"""Setting up a box, on the pages that a new game is set up with: what goes where, for the board or game chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.generals.setup import DuelSetupScene, FirstScene
from companion.scenes.learn.lesson import Lesson, Tutorial
from companion.scenes.setup.chance import ChanceScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.setup.state import SetUp
from companion.scenes.sonae.laying import LayingScene
from companion.scenes.sonae.setup import BattleSetupScene
from companion.scenes.sonae.table import BattleTable
from companion.text.orders import board_title, bonus_title, faction_name, listed
from companion.ui.screen import Intent
from engine.orders.board import Board, load_board

NEXT, ALL, TICKS = Intent("next"), Intent("all"), ("tick",)
SCENARIO, MARU = "maru-shikaku", "maru-ichi-shock-1"


def orders_box(name: str) -> Tutorial:
    """A box of General Orders: round marker, tokens, each side's units, and what lies beside the board."""
    board = load_board(name)

    def begin(stage: Stage, home: Scene) -> Scene:
        setup = SetUp(stage)
        setup.play(name)
        return ChanceScene(setup, SetupScene(stage, home, _no_other))

    ending = _("The table is ready. A new game leads you through the same steps – or tap Quick start there, and the "
               "app flips and draws for you.")  # fmt: skip
    units = (_units(board, faction) for faction in board.factions)
    return Tutorial("orders", begin, (*_chance(board), *units, *_rest(board)), ending)


def _chance(board: Board) -> tuple[Lesson, ...]:
    first, tokens = board.factions[0], _drawn(board)
    drawn = listed(bonus_title(board, one) for one in tokens)
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
            (*(Intent("token", one) for one in tokens), NEXT),
            tuple(area.name for area in board.areas if area.slot),
        ),
    )  # fmt: skip


def _drawn(board: Board) -> tuple[str, ...]:
    """A token for each slot; where one stays in the box, that is the last of those that may."""
    out = board.mode.one_stays_out[-1:]
    return tuple(one for one in board.mode.tokens if one not in out)[: len(board.slots)]


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
            _("They stay on the board: whoever has supply to a token's area has its bonus."),
            (ALL,),
            (*slots, *TICKS),
        ),
        Lesson(_("Beside the board"), beside, (ALL,), TICKS),
    )


def battle_box() -> Tutorial:
    """The practice battle of Sonae: the ground, a division base by base, the others."""

    def begin(stage: Stage, home: Scene) -> Scene:
        table = BattleTable(stage, stage.services.games.start({"system": "sonae", "scenario": SCENARIO}), home)
        return LayingScene(table, BattleSetupScene(stage, home, _no_other))

    lessons = (
        Lesson(
            _("The field"),
            _("A tabletop of 24 × 18 Movements, where one Movement is as wide as a base. Lay out hills, forest, marsh, "
              "streams and the bridge as shown."),
            (NEXT,),
            ("did", "todo", "picture"),
        ),
        Lesson(
            _("A division"),
            _("Place its bases at the marked spots, facing as shown. Touch one to read its exact place."),
            (Intent("tick", MARU), NEXT),
            (*TICKS, "picture"),
        ),
        Lesson(
            _("The others"),
            _("The same for each division, first Maru's, then Shikaku's. With a camera and printed markers, Gunbai "
              "checks the places for you."),
            (NEXT,) * 5,
            (*TICKS, "picture"),
        ),
        Lesson(
            _("The bag"),
            _("Put one token for each division into a bag: three of each colour. You also need a handful of dice and "
              "a ruler."),
            status=True,
        ),
    )  # fmt: skip
    ending = _("The field is ready. First both generals decide: stay in camp, or mount up.")
    return Tutorial("sonae", begin, lessons, ending)


def duel_box() -> Tutorial:
    """The card game: who goes first, and what each player lays out."""

    def begin(stage: Stage, home: Scene) -> Scene:
        return FirstScene(DuelSetupScene(stage, home, _no_other))

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
            _("Whoever goes first draws no card on the first turn. Leave room for two rows of generals each: inside "
              "and outside your city."),
            (did(3), Intent("begin")),
        ),
    )  # fmt: skip
    ending = _("You're set up. Hands stay hidden: Gunbai only counts cards.")
    return Tutorial("generals", begin, lessons, ending)


def _no_other(system: str, back: Scene) -> Scene:
    """A lesson keeps to its own game."""
    del system
    return back


BOXES: Mapping[str, Callable[[], Tutorial]] = {"sonae": battle_box, "generals": duel_box}
