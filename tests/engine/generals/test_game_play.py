"""Game Play 1 to 10: the start, drawing and deploying; what may be done, and what the players agree on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import BadPosition, Illegal
from engine.generals.cards import add_deck, remove_deck
from engine.generals.game import apply, cut_winner, fold, judge, legal, new_game, replay
from engine.generals.position import Position
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Use
from engine.generals.wire import position_from_json, position_to_json
from tests.engine.generals.case import EVENTS, at, deck, objections, points, position, red, side

# --- 1 to 5: the start, and drawing -----------------------------------------------------


def test_both_draw_five_and_the_first_player_draws_no_more() -> None:
    start = new_game({"red": deck(), "black": deck()}, "black")
    assert start.to_move_name == "black"
    assert [(player.hand, player.resources) for player in start.sides] == [(5, 46), (5, 46)]


def test_the_second_player_draws_at_the_start_of_its_turn() -> None:
    after = apply(new_game({"red": deck(), "black": deck()}, "black"), End())
    assert (red(after).hand, red(after).resources, after.to_move_name, after.turn) == (6, 45, "red", 2)


@pytest.mark.parametrize(("decks", "first"), [({"red": deck()}, "red"), ({"red": deck(), "black": deck()}, "blue")])
def test_a_game_has_two_sides(decks: dict[str, object], first: str) -> None:
    with pytest.raises(BadPosition, match="red and black"):
        new_game(decks, first)  # type: ignore[arg-type]


def test_a_deck_that_may_not_be_played_is_named() -> None:
    small = replace(deck(), cards={"fox": deck().cards["fox"]})
    with pytest.raises(
        BadPosition, match=r"decks\.black: the deck has 3 cards; it needs 40 to 60 \(Game Play 1, p\. 3\)"
    ):
        new_game({"red": deck(), "black": small}, "red")


def test_only_readings_with_another_answer_are_switched() -> None:
    decks = {"red": deck(), "black": deck()}
    assert new_game(decks, "red", ["guards"]).readings == {"guards"}
    for name in ("payment", "nonsense"):
        with pytest.raises(BadPosition, match=name):
            new_game(decks, "red", [name])


@pytest.mark.parametrize(
    ("red_cut", "black_cut", "who"), [("horse", "fox", "red"), ("fox", "horse", "black"), ("sword", "fox", None)]
)
def test_the_higher_cost_that_is_cut_decides_who_moves_first(red_cut: str, black_cut: str, who: str | None) -> None:
    cards = deck().cards
    assert cut_winner({"red": cards[red_cut], "black": cards[black_cut]}) == who


def test_both_cut() -> None:
    with pytest.raises(BadPosition, match="cut: a card each of red and black"):
        cut_winner({"red": deck().cards["fox"]})


# --- 6 to 9: deploying -------------------------------------------------------------------


def test_a_general_is_paid_with_other_cards_of_the_hand() -> None:
    after = apply(position(side()), Deploy("horse"))
    assert (red(after).hand, red(after).expended) == (1, 3)
    assert red(after).fighters == (at("horse", fresh=True),)
    assert after.last == "deploy"


def test_without_enough_cards_it_is_not_deployed() -> None:
    assert objections(position(side(hand=3)), Deploy("horse")) == ["pay.hand"]
    assert objections(position(side(hand=0)), Deploy("horse")) == ["card.hand"]


def test_generals_of_its_faction_make_it_cheaper() -> None:
    where = position(side(at("fox"), at("horse"), hand=2))
    after = apply(where, Deploy("horse"))
    assert (red(after).hand, red(after).expended) == (0, 1)
    assert [fighter.label for fighter in red(after).fighters] == ["fox", "horse", "horse-2"]


def test_a_cost_never_falls_below_nothing() -> None:
    after = apply(position(side(at("horse"), at("horse-2"), hand=1)), Deploy("fox"))
    assert red(after).hand == 0


def test_the_opponents_generals_count_only_by_the_other_reading() -> None:
    where = position(side(hand=3), side(at("horse")))
    assert objections(where, Deploy("horse")) == ["pay.hand"]
    assert not objections(replace(where, readings=frozenset({"discount"})), Deploy("horse"))


def test_the_general_itself_makes_it_cheaper_only_by_the_other_reading() -> None:
    where = position(side(hand=3))
    assert objections(where, Deploy("horse")) == ["pay.hand"]
    assert not objections(replace(where, readings=frozenset({"discount-self"})), Deploy("horse"))


def test_a_general_arrives_inside_the_city_unless_its_card_says_otherwise() -> None:
    assert objections(position(side()), Deploy("horse", "outside")) == ["deploy.zone"]
    after = apply(position(side()), Deploy("hawk", "outside"))
    assert red(after).fighters == (at("hawk", "outside"),)


def test_a_fresh_general_neither_moves_nor_attacks_but_may_activate() -> None:
    where = position(side(at("fox", fresh=True), at("horse", "siege", fresh=True)))
    assert objections(where, Move("fox", "outside")) == ["act.fresh"]
    assert objections(where, Attack("horse")) == ["act.fresh"]
    assert not objections(where, Activate("fox"))


def test_next_turn_it_may() -> None:
    where = fold(position(side(at("fox", fresh=True))), [End(), End()])
    assert not objections(where, Move("fox", "outside"))


def test_a_card_of_another_deck_or_one_that_is_all_seen_is_not_played() -> None:
    assert objections(position(side()), Deploy("dragon")) == ["card.known"]
    where = position(side(at("horse"), at("horse-2"), defeated=("horse",)))
    assert objections(where, Deploy("horse")) == ["card.left"]


def test_a_card_is_played_as_its_kind_is() -> None:
    where = position(side(at("fox")))
    assert objections(where, Deploy("sword")) == ["card.kind"]
    assert objections(where, Equip("horse", "fox")) == ["card.kind"]
    assert objections(where, Use("sword", "red")) == ["card.kind"]


def test_9_a_feature_works_by_itself_while_its_criterion_is_fulfilled() -> None:
    where = position(side(at("fox", "siege", item="lamp")), side())
    assert points(where, 0, "intelligence") == 5
    faced = replace(where, sides=(red(where), side(at("boar", "outside"))))
    assert points(faced, 0, "intelligence") == 6
    assert points(faced, 0, "military") == 1


# --- what may be done --------------------------------------------------------------------


def test_what_may_be_done_is_listed() -> None:
    where = position(side(at("fox"), at("horse", "siege")), side(at("hawk", "outside")))
    found = legal(where)
    assert found.deploy == {"horse": 1, "fox": 0, "hawk": 2, "boar": 0}
    assert found.equip == dict.fromkeys(("sword", "lamp", "band"), ("fox", "horse"))
    assert set(found.use) == {name for name, (kind, _effect) in EVENTS.items() if kind == "event"}
    assert found.activate == ("fox",)
    assert found.move == {"fox": ("outside", "siege"), "horse": ("city", "outside")}
    assert found.attack == {"horse": ("hawk",)}
    assert legal(replace(where, winner=0, reason="agreed")).deploy == {}
    assert legal(position(side(at("horse", "siege")))).attack == {"horse": ("castle",)}


def test_illegal_steps_are_raised_and_end_a_replay() -> None:
    where = position(side(at("fox")))
    with pytest.raises(Illegal, match="fox is already inside its city"):
        apply(where, Move("fox", "city"))
    told = replay(where, [Move("fox", "outside"), Move("fox", "siege")])
    assert (told.done, told.position) == (1, apply(where, Move("fox", "outside")))
    assert told.failed is not None
    assert replay(where, [Move("fox", "outside")]) == replace(told, failed=None)


# ==== What the players agree on: any numbers and generals that the decks can hold ==============


@pytest.fixture
def where() -> Position:
    return position(side(at("fox", "siege", item="sword"), at("horse"), hand=4, defeated=("boar",)))


def test_numbers_that_keep_the_decks_cards(where: Position) -> None:
    moved = Agreed("red", {"hand": 6, "resources": where.sides[0].resources - 2})
    assert apply(where, moved).sides[0].hand == 6
    assert objections(where, Agreed("red", {"hand": 6})) == ["agreed.cards"]


def test_generals_change_come_and_leave(where: Position) -> None:
    step = Agreed(
        "red",
        {"resources": where.sides[0].resources - 1, "expended": 1},
        {"fox": {"zone": "city"}, "horse": None, "hawk": {"zone": "outside", "troop": "band"}},
        defeated=("boar", "horse"),
    )
    side_after = apply(
        where, Agreed(step.side, {"resources": where.sides[0].resources - 2}, step.generals, step.defeated)
    ).sides[0]
    assert [fighter.label for fighter in side_after.fighters] == ["fox", "hawk"]
    assert side_after.fighters == (at("fox", item="sword"), at("hawk", "outside", troop="band"))
    assert side_after.defeated == ("boar", "horse")


@pytest.mark.parametrize(
    ("label", "row", "fault"),
    [
        ("sword", {}, "not a general in this deck"),
        ("dragon", {}, "not a general in this deck"),
        ("fox", {"zone": "sea"}, "sea is not a zone"),
        ("fox", {"item": "band"}, "the deck has no such item card: band"),
        ("fox", {"troop": "dragon"}, "the deck has no such troop card: dragon"),
    ],
)
def test_generals_are_of_the_deck(where: Position, label: str, row: dict[str, str], fault: str) -> None:
    (objection,) = judge(where, Agreed("red", {}, {label: row})).objections
    assert (objection.rule, objection.message) == ("agreed.general", f"{label}: {fault}")


def test_no_more_copies_than_the_deck_has(where: Position) -> None:
    more: dict[str, dict[str, str]] = {f"fox-{n}": {} for n in (2, 3, 4)}
    (objection,) = judge(where, Agreed("red", {}, more)).objections
    assert objection.message == "fox: more copies of fox than the deck has"


@pytest.mark.parametrize("defeated", [("dragon",), ("sword",), ("boar", "boar", "boar", "boar")])
def test_the_defeated_are_generals_of_the_deck(where: Position, defeated: tuple[str, ...]) -> None:
    assert objections(where, Agreed("red", defeated=defeated)) == ["agreed.general"]


def test_sides_and_winners_are_red_or_black(where: Position) -> None:
    assert objections(where, Agreed("blue")) == ["game.side"]
    assert objections(where, Agreed("red", winner="blue")) == ["game.side"]


def test_cards_that_lie_elsewhere_now_are_no_longer_seen_in_the_expended_zone() -> None:
    expended = position(side(at("fox"), hand=4, expended=3, seen=("sword", "sword", "sword")))
    back = apply(expended, Agreed("red", {"expended": 2}, {"fox": {"item": "sword"}})).sides[0]
    assert (back.seen, back.fighters) == (("sword", "sword"), (at("fox", item="sword"),))
    shuffled = Agreed("red", {"expended": 0, "resources": expended.sides[0].resources + 3})
    assert apply(expended, shuffled).sides[0].seen == ()


def test_what_is_agreed_can_be_written_and_read() -> None:
    where = position(side(at("fox"), hand=4, expended=3, seen=("sword", "rain", "sword")))
    after = apply(where, Agreed("red", {"expended": 1}, {"fox": {"item": "sword"}}, ("horse",)))
    add_deck(deck())
    try:
        assert position_from_json(position_to_json(after)) == after
    finally:
        remove_deck("hills")


def test_points_and_what_a_general_has_done_this_turn(where: Position) -> None:
    after = apply(where, Agreed("red", {}, {"horse": {"military": -2, "acted": True}})).sides[0]
    assert after.fighters[1] == at("horse", military=-2, acted=True)
