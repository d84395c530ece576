"""Numbers with their reasons: points (Game Play 9, 11a, 14), costs (7), upkeep (18) and the way past others (11d)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.generals.cards import WHENS, Feature
from engine.generals.game import apply
from engine.generals.position import Position
from engine.generals.steps import Agreed, Attack, Deploy, End, Equip, Move, Use
from engine.generals.tally import cost_of, features, is_fulfilled, passage_of, points_of, upkeep_of
from engine.generals.words import changes, effect_words, feature_words, general_words, kind_words, trigger_words
from tests.engine.generals.case import at, deck, position, side


def test_points_and_where_they_come_from() -> None:
    where = position(side(at("horse", "siege", item="lamp", troop="band", intelligence=3)), side(at("fox", "outside")))
    found = points_of(where, 0, where.sides[0].fighters[0], "intelligence")
    assert found.reasons() == "2 Horse, +1 Band, +1 Lamp's feature, +3 this turn"
    assert [str(part.citation) for part in found.parts] == [
        "Game Play 14, p. 7",
        "Game Play 11a, p. 6",
        "Game Play 9, p. 5",
        "Game Play 11, p. 6",
    ]
    assert found.total == 7


def test_a_cost_and_its_discount() -> None:
    where = position(side(at("fox"), at("horse"), at("hawk")))
    found = cost_of(where, 0, deck().cards["horse"])
    assert (found.total, found.reasons()) == (1, "3 printed on the card, -2 for 2 generals of Hill")
    assert cost_of(where, 0, deck().cards["sword"]).reasons() == "1 printed on the card"
    where_written = {
        name: cost_of(where, 0, deck().cards[name]).parts[0].citation.section for name in ("sword", "rain")
    }
    assert where_written == {"sword": "Game Play 11a", "rain": "Game Play 11b"}


def test_the_upkeep_to_come() -> None:
    where = position(side(at("fox"), at("horse"), hand=11))
    end = upkeep_of(where, 0)
    assert (end.generals, end.over, end.lost) == (2, 3, False)
    poor = replace(where, sides=(replace(where.sides[0], resources=1), where.sides[1]))
    assert upkeep_of(poor, 0).lost
    bare = position(replace(side(), resources=0), readings=frozenset({"last-card"}))
    assert not upkeep_of(bare, 0).lost


def test_who_bars_the_way_and_who_blocks_them() -> None:
    where = position(side(at("boar", "outside"), at("hawk")), side(at("fox", "siege"), at("horse", "siege")))
    way = passage_of(where, where.sides[0].fighters[1])
    assert (way.enemies, way.blockers, way.missing, way.free) == (("fox", "horse"), ("boar",), 1, False)
    assert passage_of(where, where.sides[0].fighters[0]).blockers == ()


CRITERIA: dict[str, tuple[Position, Position]] = {
    "always": (position(side(at("fox"))), position(side(at("fox", "siege")))),
    "city": (position(side(at("fox"))), position(side(at("fox", "siege")))),
    "outside": (position(side(at("fox", "outside"))), position(side(at("fox")))),
    "siege": (position(side(at("fox", "siege"))), position(side(at("fox")))),
    "alone": (position(side(at("fox"), at("boar", "outside"))), position(side(at("fox"), at("boar")))),
    "company": (position(side(at("fox"), at("boar"))), position(side(at("fox"), at("boar", "outside")))),
    "kin": (position(side(at("fox"), at("horse", "siege"))), position(side(at("fox"), at("boar")))),
    "facing": (
        position(side(at("fox", "outside")), side(at("boar", "siege"))),
        position(side(at("fox")), side(at("boar"))),
    ),
    "equipped": (position(side(at("fox", troop="band"))), position(side(at("fox"), at("boar", troop="band")))),
    "table": (position(side(at("fox"))), position(side(at("fox")))),
}


@pytest.mark.parametrize("when", WHENS)
def test_criteria_of_features(when: str) -> None:
    fulfilled, not_fulfilled = (
        is_fulfilled(where, 0, where.sides[0].fighters[0], Feature("win", when)) for where in CRITERIA[when]
    )
    assert fulfilled is (when != "table")
    assert not_fulfilled is (when == "always")


def test_a_criterion_may_ask_for_several() -> None:
    two = Feature("win", "kin", 2)
    near = position(side(at("fox"), at("horse")))
    assert not is_fulfilled(near, 0, near.sides[0].fighters[0], two)
    more = position(side(at("fox"), at("horse"), at("horse-2", "siege")))
    assert is_fulfilled(more, 0, more.sides[0].fighters[0], two)
    assert list(features(more, 0, more.sides[0].fighters[0])) == []


# --- what came of a step ------------------------------------------------------------------


def test_a_deployment_told() -> None:
    where = position(side(at("horse")))
    assert changes(where, apply(where, Deploy("horse"))) == (
        "Red: Horse 2 arrives inside its city",
        "Red: 3 cards from the hand",
        "Red: 2 cards to the Expended zone",
    )


def test_an_attack_told() -> None:
    where = position(side(at("horse", "siege")), side(at("fox", "outside", item="lamp")))
    assert changes(where, apply(where, Attack("horse", "fox"))) == (
        "Black: Fox is defeated",
        "Black: 1 card to the Expended zone",
    )
    recalled = apply(position(side(), where.sides[1]), Use("recall", "red", target="fox"))
    assert "Black: Fox leaves the battlefield" in changes(where, recalled)


def test_a_move_equipment_and_the_end_told() -> None:
    where = position(side(at("horse"), hand=5))
    moved = apply(where, Move("horse", "siege"))
    assert changes(where, moved) == ("Red: Horse is now outside the opponent's city",)
    armed = apply(moved, Equip("sword", "horse"))
    assert changes(moved, armed)[0] == "Red: Horse is equipped with Sword"
    ended = apply(armed, End())
    assert changes(armed, ended)[-1] == "turn 2: Black to play"
    over = apply(ended, Agreed("red", winner="red"))
    assert changes(ended, over) == ("Red wins: agreed by the players",)
    assert changes(over, over) == ()


def test_cards_in_words() -> None:
    where = position(side(at("horse-2")))
    assert general_words(where, 0, where.sides[0].fighters[0]) == "Horse 2"
    rain, lamp = deck().cards["rain"].effect, deck().cards["lamp"].feature
    assert rain is not None
    assert lamp is not None
    assert effect_words(rain) == "draw 2 cards"
    assert feature_words(lamp) == "+1 intelligence with at least 1 general of the opponent in its zone"
    assert feature_words(replace(lamp, text="Shines.")) == "Shines."
    assert (kind_words("event"), trigger_words("castle")) == ("an event card", "an attack on the castle")
