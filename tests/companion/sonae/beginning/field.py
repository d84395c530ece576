"""What the tests of a battle’s beginning look at."""

from __future__ import annotations

from companion.measuring.field import Sighting
from companion.measuring.moves import explain_moves
from companion.scenes.home.home import setup_of
from companion.scenes.sonae.setup import BattleSetupScene
from engine.sonae.field import Place
from engine.sonae.position import Position
from tests.companion.touching import Hand

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
