"""Scenarios and army lists as files: the post's battle, every fault named by file and key; and docs/sonae.md's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.errors import BadTable
from engine.sonae import scenario
from engine.sonae.field import Place
from engine.sonae.game import new_game, readings
from engine.sonae.position import MODES
from engine.sonae.scenario import (
    GROUNDS,
    KINDS,
    SKILLS,
    TYPES,
    add_scenario,
    load_scenario,
    own_scenario_names,
    read_scenario,
    remove_scenario,
    scenario_names,
)
from tests.engine.sonae.case import PAGE, example, field, scenario_text


def test_the_battle_of_the_post_has_its_clans_divisions_and_objective() -> None:
    battle = load_scenario("maru-shikaku")
    assert battle.known == "practice"
    assert "report" in battle.note
    assert battle.sides == ("maru", "shikaku")
    assert [len(army.divisions) for army in battle.armies] == [3, 3]
    assert battle.objective is not None
    assert battle.objective.title == "the bridge"
    assert {kind.type for kind in battle.units.values()} == {"normal", "firing", "melee", "shock", "command", "general"}
    assert len({kind.marker for kind in battle.units.values()}) == len(battle.units)


def test_its_ground_is_where_the_post_has_it() -> None:
    battle = load_scenario("maru-shikaku")
    assert battle.ground_at((17.6, 5.3)) == "road"
    assert battle.ground_at((17.6, 3.0)) == "blocked"
    assert battle.ground_at((17.0, 16.5)) == "difficult"
    assert battle.ground_at((12.0, 9.0)) == "open"
    start = new_game(battle)
    assert start.is_high(start.here("shikaku-ichi-general").place)
    assert not start.is_high(Place(12.0, 9.0, 0.0))


def test_nobody_begins_in_water_on_another_or_off_the_table() -> None:
    from engine.sonae.field import overlaps

    battle = load_scenario("maru-shikaku")
    start = new_game(battle)
    for unit in start.units:
        assert battle.ground_at(unit.place.at) != "blocked"
        assert all(0 < x < battle.size[0] and 0 < y < battle.size[1] for x, y in unit.place.corners())
        assert not any(overlaps(unit.place, other.place) for other in start.units if other is not unit)


@pytest.mark.parametrize("turns", ["turns = 0", ""])
def test_a_battle_without_a_number_of_turns_has_no_end_by_itself(turns: str) -> None:
    battle = read_scenario("field", scenario_text().replace("turns = 3", turns), "field.toml")
    assert battle.turns == 0


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('kind = "hill"', 'kind = "moat"', "field.toml: ground.hill.kind: 'moat' is none of"),
        ("[types.normal]\n", "", "field.toml: types.normal: missing"),
        ('type = "general"', 'type = "normal"', "field.toml: armies.ito: 0 units of type general, not one"),
        ('type = "command"', 'type = "normal"', "armies.ito.divisions.ito-one.units: 0 of type command, not one"),
        ("units.ito-gun]", "units.ito-a]", "field.toml: armies.ito.divisions.ito-two: ito-a is also armies.ito"),
        ("x = 28\n", "x = 999\n", "armies.ito.divisions.ito-two.units.ito-gun.x: 999 is no float from 0 to 200"),
        ("x = 28\n", "x = 31\n", "units.ito-gun: begins off the table, which is 30 by 30"),
        ("x = 28\ny = 6", "x = 26\ny = 6.4", "units.ito-gun: begins on ito-second"),
        ("x = 28\ny = 6", "x = 28\ny = 3", "units.ito-gun: begins on blocked ground"),
        ("width = 30.0", 'grid = "hex"\nbase_depth = 0.5\nwidth = 30.0', "base_depth: on a grid bases are 1.0 deep"),
        (
            "\n[armies.oda",
            '\n[armies.sue]\ntitle = "Sue"\nauthority = 0\n[armies.sue.divisions]\n[armies.oda',
            "armies: there are two",
        ),
    ],
)
def test_faults_are_named_with_file_and_key(before: str, after: str, fault: str) -> None:
    assert before in scenario_text()
    with pytest.raises(BadTable) as raised:
        read_scenario("field", scenario_text().replace(before, after, 1), "field.toml")
    assert fault in str(raised.value)


def test_there_is_a_most_of_everything() -> None:
    unit = '[armies.oda.divisions.oda-two.units.u{n}]\ntype = "normal"\nx = 1\ny = 1\nfacing = 0\n'
    ground = '[ground.g{n}]\nkind = "hill"\ntitle = "hill"\noutline = [[0, 0], [1, 0], [1, 1]]\n'
    many = scenario_text() + "".join(unit.format(n=n) + ground.format(n=n) for n in range(130))
    with pytest.raises(BadTable) as raised:
        read_scenario("field", many, "field.toml")
    assert "armies: 142 units; 120 are the most" in str(raised.value)
    assert "ground: 134 pieces; 60 are the most" in str(raised.value)
    with pytest.raises(BadTable, match=r"title: 'x+.* is no line of 1 to 60 characters"):
        read_scenario("field", scenario_text().replace("A field for tests", "x" * 61), "field.toml")


def test_a_marker_is_on_one_base_only() -> None:
    twice = scenario_text().replace("y = 6\n", "y = 6\nmarker = 7\n", 2)
    with pytest.raises(BadTable, match=r"units.ito-lead.marker: 7 is also that of ito-general"):
        read_scenario("field", twice, "field.toml")


def test_a_battle_without_an_objective() -> None:
    from dataclasses import replace

    from engine.sonae.turn import objective_holder

    assert objective_holder(new_game(replace(field(), objective=None))) is None


@pytest.fixture
def shelf() -> Iterator[None]:
    """Scenarios that a test adds are gone after it."""
    yield
    scenario.SCENARIOS._added.clear()


@pytest.mark.usefixtures("shelf")
def test_owners_scenarios_are_known_by_their_name() -> None:
    add_scenario(field())
    assert load_scenario("field") is field()
    assert scenario_names() == ("field", "maru-shikaku")
    assert own_scenario_names() == ("field",)
    remove_scenario("field")
    assert scenario_names() == ("maru-shikaku",)
    with pytest.raises(BadTable, match="maru-shikaku: a battle of that name comes with Gunbai"):
        add_scenario(load_scenario("maru-shikaku"))


# ==== docs/sonae.md ============================================================================

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_is_a_sound_battle() -> None:
    battle = read_scenario("ouchi-mori", example(), "docs/sonae.md")
    assert battle.known == "owner"
    assert [army.title for army in battle.armies] == ["Ouchi", "Mori"]
    start = new_game(battle)
    assert start.modes == ("encamped", "encamped")
    assert battle.ground_at((6.0, 7.0)) == "road"
    assert battle.units["ouchi-guns"].skills == {"fire": 1}


def test_every_reading_with_two_answers_stands_there_as_it_is() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+\?) \| (.+) \|$", TEXT, re.M)
    told = {name: (question, other) for name, question, other in rows}
    assert told == {name: (reading.question, reading.other) for name, reading in readings().items() if reading.other}


def test_every_word_of_a_battles_file_is_told() -> None:
    for word in (*GROUNDS, *TYPES, *KINDS, *SKILLS, *MODES, "free", "square", "hex", "objective", "marker", "radius"):
        assert f"`{word}`" in TEXT or f'"{word}"' in TEXT or f"`{word}` " in TEXT, word
