"""Battles for tests: how they are begun and led, what is seen of their field, and an eye that saw what a test says."""

from __future__ import annotations

from dataclasses import replace

from companion.measuring.field import Sighting, explain_moves
from companion.scenes.home.home import setup_of
from companion.scenes.sonae.setup import BattleSetupScene
from companion.scenes.sonae.table import BattleTable
from companion.scenes.sonae.unit import UnitPanel
from companion.scenes.systems import table_of
from companion.ui.battlefield_picture import FieldPicture, field_intent
from companion.ui.screen import Intent, Prompt
from engine.sonae.field import Place
from engine.sonae.position import Position
from engine.sonae.steps import Activate, Advance, Agreed, Closing, Done, Roll, Settle, Step, Token
from engine.sonae.turn import dice_owed
from tests.companion.touching import Hand

WHOLE = (0.0, 0.0, 24.0, 18.0)
SHOCK, HONJIN, TEPPO = "maru-ichi-shock-1", "shikaku-ichi-command", "shikaku-ichi-firing-1"


def begun(hand: Hand, *switched: str) -> BattleTable:
    """Put the post's battle on stage, before its first turn; switched: the readings taken otherwise."""
    request: dict[str, object] = {
        "system": "sonae",
        "scenario": "maru-shikaku",
        "players": {"maru": "Ana", "shikaku": "Bo"},
        "readings": dict.fromkeys(switched, "other"),
    }
    match = hand.app.stage.services.games.start(request)
    table = table_of(hand.app.stage, match, hand.app.home)
    assert isinstance(table, BattleTable)
    hand.app.scene = hand.app.table = table
    return table


def table_at(hand: Hand) -> BattleTable:
    assert isinstance(hand.app.scene, BattleTable)
    return hand.app.scene


def position_at(hand: Hand) -> Position:
    return table_at(hand).position


def played(hand: Hand, *steps: Step) -> BattleTable:
    """Take these steps, which happened without a touch."""
    table = table_at(hand)
    for step in steps:
        ruling = table.match.offer(step)
        assert ruling.legal, (step, ruling.objections)
    table.refresh()
    return table


def rolled(hand: Hand, *sixes: int) -> BattleTable:
    """Make the rolls that are owed, one after the other, each with so many sixes."""
    for n in sixes:
        due = position_at(hand).due[0]
        dice = dice_owed(position_at(hand), due)
        played(hand, Roll((6,) * n + (1,) * (dice - n), position_at(hand).scenario.sides[due.by]))
    return table_at(hand)


def settled(hand: Hand) -> BattleTable:
    """Both generals are encamped; the first token is to be drawn."""
    begun(hand)
    return played(hand, Settle("maru", "encamped"), Settle("shikaku", "encamped"))


def acting(hand: Hand, division: str = "maru-ichi", face: int = 4, **places: tuple[float, float, float]) -> BattleTable:
    """Give a division of the Maru its orders, after putting units elsewhere: (x, y, facing)."""
    settled(hand)
    if places:
        played(hand, Agreed({name.replace("_", "-"): row(*place) for name, place in places.items()}, note="so"))
    return played(hand, Token("maru"), Activate(division), Roll((face,), "maru"))


def row(x: float, y: float, facing: float) -> dict[str, object]:
    return {"x": x, "y": y, "facing": facing}


def near(hand: Hand) -> BattleTable:
    """Place the Maru's shock unit two Movements before the gunners of the Shikaku, face to face."""
    return acting(
        hand,
        maru_ichi_shock_1=(6.0, 6.4, 0.0),
        shikaku_ichi_firing_1=(6.0, 9.0, 180.0),
        shikaku_ichi_melee=(5.8, 11.0, 0.0),
        maru_ichi_command=(7.4, 4.4, 0.0),
    )


def charged(hand: Hand) -> BattleTable:
    """Charge the gunners with the shock unit, so that it is asked whether they may fire."""
    near(hand)
    return played(hand, Advance(SHOCK, 6.0, 8.0))


def fought(hand: Hand) -> BattleTable:
    """Let the charged gunners hold their fire, and end the activation: the melee is to be rolled."""
    charged(hand)
    return played(hand, Closing("shikaku", False), Done())


def field(hand: Hand) -> FieldPicture:
    board = hand.screen.board
    assert isinstance(board, FieldPicture)
    return board


def finger(hand: Hand, *places: tuple[float, float]) -> None:
    """Bring a finger down at the first place, over the others, and up at the last one."""
    phases = [0, *([1] * (len(places) - 1)), 2]
    for phase, (x, y) in zip(phases, (*places, places[-1]), strict=True):
        at = (x / WHOLE[2], 1 - y / WHOLE[3])
        hand.app.touch(replace(field_intent(WHOLE), n=phase, at=at))


def sixes(hand: Hand, n: int) -> None:
    """Touch the number of sixes that came up."""
    hand.app.touch(Intent("sixes", "", n) if n else Intent("confirm"))


def asked(hand: Hand) -> Prompt:
    """Return what the table asks first."""
    first = hand.screen.blocks[0]
    assert isinstance(first, Prompt)
    return first


def last(hand: Hand) -> object:
    """Return the step that was taken last."""
    return table_at(hand).match.steps[-1]


def chosen(hand: Hand, name: str = SHOCK) -> None:
    """Choose a unit."""
    hand.app.touch(Intent("unit", name))
    assert isinstance(table_at(hand).panel, UnitPanel)


PICTURE = (
    b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x10\x00\x20\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xd9"  # a header alone
)


def setting_up(hand: Hand) -> BattleSetupScene:
    scene = setup_of("sonae", hand.app.stage, hand.app.home)
    assert isinstance(scene, BattleSetupScene)
    hand.app.scene = scene
    return scene


class Seen:
    """An eye that saw what a test says."""

    def __init__(self, *, fault: str = "", **places: Place) -> None:
        self.fault = fault
        self.places = {name.replace("_", "-"): place for name, place in places.items()}
        self.more: dict[str, object] = {}

    def look(self, position: Position) -> Sighting | None:
        if self.fault == "none":
            return None
        moved = explain_moves(position, self.places, dict.fromkeys(self.places, 0.02))
        return Sighting(places=self.places, moved=moved, fault=self.fault, **self.more)  # type: ignore[arg-type]

    def picture(self) -> bytes | None:
        return PICTURE
