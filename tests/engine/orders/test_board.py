"""Boards and modes as data: what they say, and every fault of their data at once."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from engine.areas import members
from engine.errors import BadTable, UnknownBoard
from engine.orders.board import board_from, board_names, load_board
from engine.orders.mode import Card, load_mode, mode_from, mode_names
from engine.tables import table_names
from tests.boards.practice import atoll, board_data, castle, strip


def spoiled(**changes: Any) -> dict[str, Any]:
    """Return the castle's data with changed values, by dotted path with "__" for the dots."""
    data = copy.deepcopy(board_data("castle"))
    for path, value in changes.items():
        *way, last = path.split("__")
        place = data
        for key in way:
            place = place[key]
        place[last] = value
    return data


def faults(data: dict[str, Any]) -> list[str]:
    with pytest.raises(BadTable) as caught:
        board_from(data, castle().mode)
    return [fault.removeprefix("board practice-castle: ") for fault in str(caught.value).split("; ")]


# --- the printed board ------------------------------------------------------------------


def test_there_is_one_object_for_each_board() -> None:
    assert load_board("sengoku-rivers") is load_board("sengoku-rivers")
    assert "sengoku-rivers" in board_names()
    assert {load_board(name).mode.name for name in table_names("boards")} == set(mode_names())


def test_a_board_without_data_is_unknown() -> None:
    with pytest.raises(UnknownBoard, match=r"no board named 'wwii-polar'; there is .*sengoku-rivers"):
        load_board("wwii-polar")


def test_areas_and_spaces_are_found_by_name() -> None:
    board = load_board("sengoku-rivers")
    assert (board.area("c4").vp, board.area("c4").kind) == (2, "land")
    assert board.space("bombard:c6").area == "c6"
    assert board.space("reinforce:2").amount == 5
    assert (board.space("advance:c4").amount, board.space("plan:1").at_mm) == (0, None)
    with pytest.raises(KeyError):
        board.area("z9")
    with pytest.raises(KeyError):
        board.space("siege:c4")


def test_area_numbers_are_their_bits() -> None:
    board = load_board("sengoku-rivers")
    for area in board.areas:
        assert board.bits[area.index] == 1 << area.index
        assert bool(board.land & board.bits[area.index]) == (area.kind == "land")
    assert board.land & board.water == 0


def test_rivers_is_its_own_mirror() -> None:
    board = load_board("sengoku-rivers")
    columns = str.maketrans("abde", "edba")
    for area in board.areas:
        twin = board.area(area.name.translate(columns))
        assert (area.kind, area.vp, len(area.ports)) == (twin.kind, twin.vp, len(twin.ports))
        assert {name.translate(columns) for name in area.adjacent} == set(twin.adjacent)
        assert all(abs(x + u - board.size_mm[0]) < 0.5 for (x, _), (u, _) in zip(
            sorted(area.centres_mm), sorted(twin.centres_mm, reverse=True), strict=True
        ))  # fmt: skip


def test_every_land_area_can_be_advanced_into_and_every_water_sailed_and_bombarded_from() -> None:
    board = load_board("sengoku-rivers")
    for area in board.areas:
        actions = {space.action.name for space in board.spaces if space.area == area.name}
        if area.kind == "water":
            assert actions == {"sail", "bombard"}
        else:
            assert "advance" in actions
            assert actions <= {"advance", "shell"}


def test_linked_spaces_are_printed_inside_their_areas_bounds() -> None:
    board = load_board("sengoku-rivers")
    for space in board.spaces:
        if space.area is not None:
            assert space.at_mm is not None
            xs, ys = zip(*board.area(space.area).polygon_mm, strict=True)
            assert min(xs) < space.at_mm[0] < max(xs)
            assert min(ys) < space.at_mm[1] < max(ys)


def test_how_things_are_known_is_said() -> None:
    assert load_board("sengoku-rivers").known == "owner"
    assert load_mode("sengoku-rivers").known == "owner"
    assert castle().known == castle().mode.known == strip().known == "practice"


def test_the_names_of_areas_come_sorted() -> None:
    board = load_board("sengoku-rivers")
    assert board.names([board.area_index[name] for name in ("e3", "a1", "c4")]) == ("a1", "c4", "e3")


# --- faults -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"areas__a1__adjacent": ["a2", "b1", "z9"]}, "a1 borders z9, which is no area"),
        ({"areas__a1__adjacent": ["a2", "b1", "c1"]}, "a1 borders c1, but not the other way round"),
        ({"areas__a1__ports": ["b3"]}, "a1 has a pier to b3, which it does not border"),
        ({"areas__a1__ports": ["a2"]}, "a1 has a pier to a2, which it does not border"),
        ({"areas__a1__start": {"green": {"troop": 1}}}, "a1 starts with units of green, which is no faction"),
        ({"areas__a1__start": {"red": {"ship": 1}}}, "a1: no ship can start there"),
        ({"areas__a1__start": {"red": {"elephant": 1}}}, "a1: no elephant can start there"),
        ({"areas__a1__hq": "black"}, "red needs exactly one headquarters; black needs exactly one headquarters"),
        ({"slots": ["sun", "moon", "star"]}, "slot star needs exactly one area"),
        ({"areas__a2__slot": "moon"}, "slot sun needs exactly one area; slot moon needs exactly one area"),
        ({"spaces__fly:a1": [1.0, 2.0]}, "space fly:a1: 'fly' is no action"),
        ({"spaces__advance:z9": [1.0, 2.0]}, "space advance:z9: 'z9' is no area"),
        ({"spaces__advance:b1": [1.0, 2.0]}, "space advance:b1: advance needs a land area"),
        ({"spaces__advance": [1.0, 2.0]}, "space advance: '' is no area"),
    ],
)
def test_a_board_that_cannot_be_is_refused(changes: dict[str, Any], fault: str) -> None:
    assert "; ".join(faults(spoiled(**changes))) == fault


def test_every_fault_of_a_board_is_reported_at_once() -> None:
    data = spoiled(areas__a1__ports=["b3"], areas__a1__start={"red": {"ship": 1}}, slots=["sun"])
    data["spaces"]["fly:a1"] = [1.0, 2.0]
    assert len(faults(data)) == 4


def test_a_port_to_an_area_that_is_none_is_a_fault_too() -> None:
    fault = "a1 has a pier to z9, which it does not border"
    assert faults(spoiled(areas__a1__ports=["z9"])) == [fault]


def test_a_board_names_its_own_mode() -> None:
    data = spoiled(mode="sengoku-rivers", board="practice-castle")
    for area in data["areas"].values():
        area["start"] = {}
    data["spaces"] = {name: place for name, place in data["spaces"].items() if not name.startswith("siege")}
    assert board_from(data).mode is load_mode("sengoku-rivers")


@pytest.mark.parametrize("place", [[1.0], [1.0, 2.0, 3.0]])
def test_a_place_has_two_coordinates(place: list[float]) -> None:
    with pytest.raises(BadTable, match="advance:a1"):
        board_from(spoiled(**{"spaces__advance:a1": place}), castle().mode)


def test_an_unknown_mode_is_a_fault() -> None:
    with pytest.raises(BadTable, match="no-such-mode"):
        board_from(spoiled(mode="no-such-mode"))


def test_where_there_are_aircraft_a_headquarters_has_its_zone() -> None:
    data = board_data("atoll")
    del data["areas"]["a1"]["zone"]
    with pytest.raises(BadTable, match="a headquarters lies beneath an air zone"):
        board_from(data)


@pytest.mark.parametrize(
    ("table", "key", "value", "fault"),
    [
        ("a1", "zone", "b1", "a1.zone: 'b1' is no air zone, or a1 is no land"),
        ("zone-red", "zone", "zone-white", "zone-red.zone: 'zone-white' is no air zone, or zone-red is no land"),
        ("zone-red", "vp", 1, "zone-red.vp: an air zone has no victory points"),
        ("b2", "printed", "armoury", "b2.printed: 'armoury' is no bonus of this mode"),
        ("space_faction", "barrage:a2", "red", "space_faction.barrage:a2: 'red' cannot own it"),
        ("space_faction", "barrage:z9", "blue", "space_faction.barrage:z9: 'blue' cannot own it"),
        ("space_faction", "advance:a1", "blue", "space_faction.advance:a1: the spaces of this action have no colour"),
    ],
)
def test_what_only_some_modes_know_is_checked_too(table: str, key: str, value: object, fault: str) -> None:
    data = board_data("atoll")
    data.get(table, data["areas"].get(table))[key] = value
    with pytest.raises(BadTable) as caught:
        board_from(data)
    assert str(caught.value) == f"board practice-atoll: {fault}"


def test_an_outline_with_a_corner_twice_is_none() -> None:
    data = board_data("strip")
    ring = data["areas"]["a1"]["polygon_mm"]
    data["areas"]["a1"]["polygon_mm"] = [ring[0], *ring]
    with pytest.raises(BadTable, match=r"a1\.polygon_mm: no simple outline"):
        board_from(data, strip().mode)


def test_a_linked_space_has_no_number_and_a_support_space_may_have_one_for_each_faction() -> None:
    data = board_data("atoll") | {"support": {"plan:2": {"amount": 2, "amounts": {"yellow": 3}}}}
    board = board_from(data)
    assert [board.space("plan:2").amount_for(faction) for faction in board.factions] == [2, 3]
    assert (board.space("fly:zone-red").amount_for("blue"), board.space("plan:1").amount_for("blue")) == (0, 1)


def test_chains_of_supply_begin_at_the_headquarters_and_the_zone_above_it() -> None:
    board = atoll()
    assert [board.names(members(home)) for home in board.homes] == [("a1", "zone-red"), ("d2", "zone-green")]
    assert [board.names(members(home)) for home in board.open_homes] == [
        ("a1", "zone-red", "zone-white"),
        ("d2", "zone-green", "zone-white"),
    ]
    assert board.names(members(board.beneath[board.area_index["zone-green"]])) == ("d1", "d2")


# ==== Modes as data: Rivers' numbers, and every name that leads nowhere at once ================


def rivers_data() -> dict[str, Any]:
    file = resources.files("engine") / "data" / "modes" / "sengoku-rivers.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def mode_faults(**changes: Any) -> list[str]:
    data = copy.deepcopy(rivers_data()) | changes
    with pytest.raises(BadTable) as caught:
        mode_from("practice", data)
    return [fault.removeprefix("mode practice: ") for fault in str(caught.value).split("; ")]


def test_a_mode_is_read_once_and_by_its_name() -> None:
    assert load_mode("sengoku-rivers") is load_mode("sengoku-rivers")
    with pytest.raises(BadTable, match=r"no mode named 'no-such-mode'; there is .*sengoku-rivers"):
        load_mode("no-such-mode")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"factions": ["red"]}, "factions: there are two"),
        ({"factions": ["red", "black", "white"]}, "factions: there are two"),
        ({"bonuses": ["barracks", "dojo"]}, "bonuses: no token named dojo"),
        ({"support": {"fly:1": {"amount": 1}}}, "support.fly:1: no such action"),
    ],
)
def test_a_name_that_leads_nowhere_is_named(changes: dict[str, Any], fault: str) -> None:
    assert mode_faults(**changes) == [fault]


def test_a_unit_to_count_dice_by_must_be_one_of_the_mode() -> None:
    actions = rivers_data()["actions"]
    actions["bombard"]["dice_per"] = "siege"
    assert mode_faults(actions=actions) == ["actions.bombard.dice_per: no unit named siege"]


def test_cards_and_tokens_go_with_actions_and_units_of_the_mode() -> None:
    data = rivers_data()
    del data["units"]["ship"], data["actions"]["shell"]
    found = mode_faults(units=data["units"], actions=data["actions"])
    assert "card ship_strike: no action named shell" in found
    assert "card commandeer: no unit named ship" in found
    assert "bonus shipyard: no unit named ship" in found
    assert "actions.bombard.dice_per: no unit named ship" in found


def test_a_card_of_no_action_of_its_own_waits_in_every_window() -> None:
    mode = load_mode("wwii-island")
    omen = Card("omen", 1, "Omen", "?", "?", "mover", "", "join", "join", 1, "troop")
    anywhere = replace(mode, cards={"omen": omen})
    assert {action for moment, action in anywhere.windows if moment == "join"} == set(mode.actions)


def test_bonuses_that_are_only_printed_are_no_tokens() -> None:
    mode = load_mode("wwii-island")
    assert set(mode.bonuses) - set(mode.tokens) == {"town_centre"}
    assert mode.bonus_verbs == {"more", "join", "commander", "defence"}
    assert {card.verb for card in mode.table_cards} == {"table"}
    assert not load_mode("sengoku-rivers").table_cards
