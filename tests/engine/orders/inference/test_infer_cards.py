"""What legal turn turns a position into what is seen, where cards were played."""

from typing import Any

import pytest

from engine.orders.inference.infer import infer
from engine.orders.notation import parse_step
from engine.orders.position import Position
from tests.engine.orders.inference.seeing import EVERY, all_told, best, changed, seen_after, table
from tests.tables import after, rivers

FIELD = "e3:3 d3:3 e1:2 d5:3 e4:3 c3:2"
FOES = "a3:3 b3:2 b5:3 a1:2 a4:3 c4:2 b4:1"


def holding(red: str | int = "", black: str | int = "", **more: Any) -> Position:
    return rivers(FIELD, FOES, hands={"red": red, "black": black}, **more)


CARDS = [
    ("ground_assault", "", "advance:d2 from d3=2t reserve=2t with ground_assault"),
    ("ground_assault", "", "advance:b3 from d3=2t reserve=2t with ground_assault; roll 0 by black"),
    ("river_assault", "", "sail:d4 from e4=1s reserve=1s with river_assault"),
    ("mobilise", "", "reinforce:1 place d3=2t d5=2t e1=3t e3=1t with mobilise"),
    ("commandeer", "", "embark:2 place c3=1s d4=2s with commandeer"),
    ("shore_strike", "", "bombard:c3 at b3; roll 1 1 by red; accept"),
    ("", "ambush", "advance:b3 from d3=2t; roll 1 by black; accept"),
]


@pytest.mark.parametrize(("red", "black", "steps"), CARDS)
@pytest.mark.parametrize("hidden", [False, True], ids=["known", "hidden"])
def test_what_cards_add_is_recognised(red: str, black: str, steps: str, hidden: bool) -> None:
    position = holding(3 if hidden and red else red, 3 if hidden and black else black)
    found = seen_after(position, steps)
    plain = all_told(found)
    assert steps in plain
    assert plain[0].partition(" ")[0] == steps.partition(" ")[0]


def test_a_card_that_nobody_has_explains_nothing() -> None:
    units, commanders = table(after(holding("mobilise"), parse_step(CARDS[3][2])))
    assert infer(holding("mobilise"), units, commanders).explanations
    assert not infer(holding(), units, commanders).explanations
    gone = holding(3, discard="mobilise mobilise mobilise")
    assert not infer(gone, units, commanders).explanations


def test_more_losses_than_one_die_shows_were_an_ambush() -> None:
    position = rivers("e3:3 d3:5 c3:1", "a3:3 b3:1", hands={"black": "ambush"})
    steps = "advance:b3 from d3=4t; play ambush by black; roll 1 1 1 by black"
    assert best(seen_after(position, steps)) == steps
    assert seen_after(position, steps).explanations[0].why.endswith("Black plays Ambush; Black rolls 3")


def test_more_losses_than_the_ships_could_deal_were_a_shore_strike() -> None:
    position = rivers("e3:3 d3:1 c3:1", "a3:3 b3:4", hands={"red": 2})
    steps = "bombard:c3 at b3; play shore_strike by red; roll 1 1 1 by red; accept"
    assert best(seen_after(position, steps)) == steps


def test_a_second_shell_is_a_ship_strike() -> None:
    position = rivers("e3:3 d3:2", "a3:3 c3:2 d4:2", hands={"red": "ship_strike"})
    steps = "shell:d3 at c3; roll 1 1 by red; accept; play ship_strike by red at d4; roll 0 1 by red"
    other = "shell:d3 at d4; roll 0 1 by red; accept; play ship_strike by red at c3; roll 1 1 by red"
    assert set(all_told(seen_after(position, steps))[:2]) == {steps, other}
    thrice = rivers("e3:3 d3:2", "a3:3 c3:3", hands={"red": 1})
    both = "shell:d3 at c3; roll 0 1 by red; accept; play ship_strike by red at c3; roll 1 1 by red"
    assert any("play ship_strike by red at c3" in line for line in all_told(seen_after(thrice, both)))


def test_a_commander_beside_the_enemys_is_a_counterattack() -> None:
    position = holding("counterattack ground_assault", commanders={"advance:d2": "black"})
    steps = "advance:d2 from d3=2t with counterattack; accept"
    assert best(seen_after(position, steps)) == steps
    both = "advance:d2 from d3=2t reserve=1t with counterattack ground_assault"
    assert both in all_told(seen_after(position, both))
    assert best(seen_after(position, "plan:1 draw 1")) == "plan:1 draw 1"


def test_ships_among_the_enemys_are_a_commandeer() -> None:
    position = rivers("e3:3 d3:3 e4:1", "a3:3 b3:2 d4:1", hands={"red": "commandeer"})
    steps = "embark:1 place d4=4s with commandeer; roll 1 by black"
    assert best(seen_after(position, steps)) == steps
    lost = "embark:1 place d4=1s with commandeer; roll 1 by black"
    assert lost in all_told(seen_after(position, lost))


def test_a_placement_has_to_be_whole_where_the_table_says_so() -> None:
    position = rivers("e3:2 d3:2", "a3:3", readings="place-fewer")
    commanders = {"reinforce:1": "red"}
    assert not infer(position, changed(position, {"e3 red troop": 1}), commanders).explanations
    assert infer(rivers("e3:2 d3:2", "a3:3"), changed(position, {"e3 red troop": 1}), commanders).explanations


def test_cards_played_in_a_turn_in_progress() -> None:
    placed = after(holding("mobilise"), parse_step("reinforce:1 place d3=2t d5=2t"))
    steps = "play mobilise by red place e1=1t e3=1t"
    assert steps in all_told(seen_after(placed, steps))
    moved = after(holding("ground_assault"), parse_step("advance:d2 from d3=1t"))
    assert best(seen_after(moved, "play ground_assault by red units 2")) == "play ground_assault by red units 2"
    landed = after(
        rivers("e3:3 d3:3 e4:1", "a3:3 d4:1", hands={"red": "commandeer"}), parse_step("embark:2 place e4=2s")
    )
    seized = "play commandeer by red place d4=1s; roll 0 by black"
    assert seized in all_told(seen_after(landed, seized, most=EVERY))
