"""Which set of pieces a board needs follows from its factions and units; what the eye has not learnt it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.tables import four_areas, pictures
from vision.calibration.calibrate import calibrate
from vision.errors import UnknownPieces, VisionError
from vision.reading.network import CLASSES
from vision.reading.piece_sets import AIRCRAFT, SETS, SHIPS, SIEGE, learnt_sets, set_of

SIEGE_PLAN = replace(four_areas(), units=(("land", ("troop", "siege")), ("water", ("ship",))), board="other-name")
AIRCRAFT_PLAN = replace(
    four_areas(), factions=("blue", "yellow"), units=(("air", ("aircraft",)), ("land", ("troop",))), start=()
)


def test_the_plan_alone_chooses_the_set() -> None:
    assert set_of(four_areas()) is SHIPS
    assert set_of(replace(four_areas(), board="another")) is SHIPS
    assert set_of(SIEGE_PLAN) is SIEGE
    assert set_of(AIRCRAFT_PLAN) is AIRCRAFT
    assert set_of(replace(AIRCRAFT_PLAN, units=(("land", ("troop",)),))) is AIRCRAFT


@pytest.mark.parametrize(
    "strange",
    [
        replace(four_areas(), factions=("green", "red")),
        replace(four_areas(), units=(("land", ("troop", "tank")),)),
        replace(four_areas(), factions=("yellow", "black")),
    ],
)
def test_strange_pieces_are_refused_in_one_sentence(strange: object) -> None:
    with pytest.raises(UnknownPieces, match="has not learnt pieces of") as told:
        set_of(strange)  # type: ignore[arg-type]
    assert isinstance(told.value, VisionError)
    assert "\n" not in str(told.value)


def test_no_table_is_made_of_a_board_with_strange_pieces() -> None:
    shown = pictures()
    with pytest.raises(UnknownPieces, match="green and red"):
        calibrate(shown.reference.picture, replace(four_areas(), factions=("green", "red")), None)


def test_a_set_without_weights_in_the_package_is_not_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = replace(SHIPS, scores="elsewhere.json")
    monkeypatch.setattr("vision.reading.piece_sets.SETS", (unread,))
    assert set_of(four_areas()) is unread
    with pytest.raises(UnknownPieces, match="red and black"):
        learnt_sets(four_areas())


def test_every_answer_of_a_network_is_somebodys_piece() -> None:
    for known in SETS:
        assert len(known.classes) == len(CLASSES)
        for number, (faction, kind) in enumerate(known.classes):
            assert known.which(faction, kind) == number
    assert SIEGE.which("black", "ship") == SIEGE.which("black", "siege") == 4
    with pytest.raises(ValueError, match="tuple"):
        SHIPS.which("green", "troop")
