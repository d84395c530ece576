"""The demo's player: legal, lively, seeded; its deck, its dice, its words."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.core.errors import MatchError
from companion.demo import autoplayer
from companion.demo.autoplayer import (
    LOST,
    Autoplayer,
    deployments,
    draw,
    draw_pile,
    loads_of,
    quiet_answer,
    rate_position,
    settle_turn,
    window_plays,
)
from companion.demo.player import DemoPlayer, set_up, turns_of
from companion.demo.telling import turn_words
from companion.games.match import Match
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Remove, Reroll, Roll, Step
from engine.orders.wire import position_from_json, position_to_json
from tests.companion.sample_games import BOARD, BONUSES, played

pytestmark = pytest.mark.long


def position_of(**changes: object) -> Position:
    """Return the starting position with some keys changed."""
    return position_from_json(position_to_json(game.new_game(BOARD, "red", BONUSES)) | changes)


def with_units(units: dict[str, dict[str, dict[str, int]]], **changes: object) -> Position:
    """Both headquarters and the waters beside them, and what is said."""
    homes = {
        "a3": {"black": {"troop": 3}},
        "a4": {"black": {"ship": 1}},
        "e3": {"red": {"troop": 3}},
        "e4": {"red": {"ship": 1}},
    }
    return position_of(units=homes | units, **changes)


TAKEN = {"d5": {"red": {"troop": 3}}, "c4": {"black": {"troop": 1}}, "b5": {"black": {"troop": 3}}}
HELD = {"commanders": {"advance:c4": "black"}, "commanders_left": {"red": 5, "black": 4}}
COUNTERATTACK = {"red": ["counterattack"], "black": []}
"""Black's commander stands in c4, and Red has the card to go there all the same."""


# ---- whole games --------------------------------------------------------------------------------


def test_games_end_by_the_rules_and_the_same_seed_plays_the_same_game() -> None:
    steps, positions = played(5)
    assert positions[-1].winner_name is not None
    again = Autoplayer(5)
    assert [again.step(position) for position in positions[:-1]] == list(steps)


@pytest.mark.parametrize("seed", range(6))
def test_games_are_lively(seed: int) -> None:
    steps = played(seed)[0]
    kinds = Counter(step.space.split(":")[0] for step in steps if isinstance(step, Deploy))
    assert kinds.keys() >= {"advance", "sail", "reinforce", "embark"}
    assert kinds["advance"] >= kinds.total() / 5
    assert sum(isinstance(step, Roll) for step in steps) >= kinds.total() / 5
    assert sum(isinstance(step, Pass) for step in steps) <= 2


def test_most_games_are_not_over_at_once_and_cards_are_drawn_played_and_spent() -> None:
    games = [played(seed) for seed in range(8)]
    rounds = [positions[-1].round for _steps, positions in games]
    assert sum(rounds) >= 24
    assert sum(round_ > 1 for round_ in rounds) >= 7
    steps = [step for steps, _positions in games for step in steps]
    assert {Play, Reroll} <= set(map(type, steps))
    assert any(isinstance(step, Deploy) and step.draw for step in steps)


# ---- the deck -----------------------------------------------------------------------------------


def test_the_draw_pile_is_what_is_neither_held_nor_discarded_and_unknown_with_a_hidden_hand() -> None:
    position = position_of(hands={"red": ["ambush", "ambush"], "black": ["mobilise"]}, discard=["ambush"])
    pile = Counter(draw_pile(position) or [])
    assert (pile["ambush"], pile["mobilise"], pile["ship_strike"]) == (0, 2, 3)
    assert pile.total() == 20
    hidden = position_of(hands={"red": 2, "black": []})
    assert draw_pile(hidden) is None
    assert draw(hidden, 2, random.Random(1)) is None


def test_when_the_pile_runs_out_the_discarded_cards_are_shuffled() -> None:
    deck = sorted(Counter(load_board(BOARD).mode.deck).elements())
    position = position_of(hands={"red": deck[:20], "black": []}, discard=deck[20:23])
    drawn = draw(position, 3, random.Random(1))
    assert drawn is not None
    assert drawn[0] == deck[23]
    assert not Counter(drawn[1:]) - Counter(deck[20:23])


@pytest.mark.parametrize(
    ("found", "step"), [([Deploy("plan:2", draw=2)], Deploy("plan:2", draw=2)), ([], Pass())], ids=["plan", "nothing"]
)
def test_with_a_hidden_hand_a_number_is_drawn_and_who_can_do_nothing_passes(
    monkeypatch: pytest.MonkeyPatch, found: list[Step], step: Step
) -> None:
    monkeypatch.setattr(autoplayer, "deployments", lambda position, rng: found)
    assert Autoplayer(1).step(position_of(hands={"red": 2, "black": 0})) == step


# ---- what is looked at --------------------------------------------------------------------------


def test_every_way_that_is_looked_at_is_legal() -> None:
    for position in played(5)[1]:
        if position.turn is None and position.winner is None:
            for step in deployments(position, random.Random(1)):
                assert game.judge(position, step).legal


def test_shots_are_only_taken_at_something() -> None:
    position = position_of()
    assert not [step for step in deployments(position, random.Random(1)) if step.target]
    near = with_units({"d3": {"red": {"troop": 2}}, "c3": {"black": {"ship": 1}}})
    targets = {(step.space, step.target) for step in deployments(near, random.Random(1)) if step.target}
    assert targets == {("shell:d3", "c3")}


def test_units_are_spread_within_the_limits() -> None:
    position = position_of()
    for seed in range(20):
        loads = loads_of(position, ("e3", "d5"), ("troop", 8), random.Random(seed))
        counted = {area: n for area, _, n in loads}
        assert counted == {"e3": 2, "d5": 2}
    assert loads_of(position, (), ("troop", 3), random.Random(1)) == ()


def test_a_counterattack_goes_where_the_opponents_commander_stands() -> None:
    held = with_units(TAKEN, **HELD, hands=COUNTERATTACK)
    shared = [step for step in deployments(held, random.Random(1)) if step.cards]
    assert {(step.space, step.cards) for step in shared} == {("advance:c4", ("counterattack",))}
    assert not [step for step in deployments(with_units(TAKEN, **HELD), random.Random(1)) if step.cards]


def conflict(**changes: object) -> Position:
    """Red has advanced into c4, which black holds with two; black owes the roll."""
    units = {"d5": {"red": {"troop": 5}}, "c4": {"black": {"troop": 2}}, "b5": {"black": {"troop": 3}}}
    return game.apply(with_units(units, **changes), Deploy("advance:c4", moves=(("d5", "troop", 3),)))


def window(position: Position) -> list[Play | Reroll]:
    """Return the cards found for the window that is open."""
    owed = game.owed(position)
    assert owed is not None
    return list(window_plays(position, owed))


def test_cards_for_an_open_window_are_found() -> None:
    plays = window(conflict(hands={"red": ["ground_assault"], "black": ["ambush", "mobilise"]}))
    assert {(step.card, step.by) for step in plays} == {("ground_assault", "red"), ("ambush", "black")}
    position = game.apply(conflict(hands={"red": [], "black": ["mobilise", "ambush"]}), Roll((0,), "black"))
    assert {step.card for step in window(position)} == {"ambush", "mobilise"}, "after a roll each may be spent"


def test_placing_cards_and_second_shots_are_found() -> None:
    reinforced = game.apply(
        position_of(hands={"red": ["mobilise"], "black": []}), Deploy("reinforce:1", place=(("e3", "troop", 2),))
    )
    assert {step.card for step in window(reinforced)} == {"mobilise"}
    near = with_units(
        {"d3": {"red": {"troop": 2}}, "c3": {"black": {"ship": 2}}}, hands={"red": ["ship_strike"], "black": []}
    )
    shot = game.fold(near, [Deploy("shell:d3", target="c3"), Roll((1, 0), "red"), Accept()])
    assert [(step.card, getattr(step, "target", None)) for step in window(shot)] == [("ship_strike", "c3")]


def test_a_good_card_is_played_most_of_the_time() -> None:
    position = conflict(hands={"red": [], "black": ["ambush"]})
    first = Counter(type(Autoplayer(seed).step(position)) for seed in range(40))
    assert first[Play] > first[Roll] > 0


# ---- answers ------------------------------------------------------------------------------------


def test_losses_take_the_cheapest_first_and_an_open_window_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    units = {"red": {"troop": 1, "siege": 2}}
    position = position_of()
    owed = game.Owed("remove", "red", "c4", units=2)
    monkeypatch.setattr(Position, "units_in", lambda self, area: units)
    answer = quiet_answer(position, owed)
    assert isinstance(answer, Remove)
    assert (answer.units[0], answer.by, answer.area) == (("troop", 1), "red", "c4")
    assert quiet_answer(position, game.Owed("accept", "red")) == Accept()


def test_a_turn_is_settled_as_it_goes_on_average() -> None:
    after = settle_turn(conflict())
    assert after.turn is None
    assert after.units_in("c4") == {}


# ---- weighing -----------------------------------------------------------------------------------


def test_what_is_good_for_one_is_bad_for_the_other_and_a_lost_game_the_worst() -> None:
    for position in played(5)[1][::15]:
        assert rate_position(position, "red") == pytest.approx(-rate_position(position, "black"))
    end = played(5)[1][-1]
    assert end.winner_name is not None
    assert rate_position(end, end.winner_name) == LOST


def test_points_and_a_guarded_headquarters_are_worth_more() -> None:
    holding = {"c4": {"red": {"troop": 1}}, "d5": {"red": {"troop": 1}}}
    linked, cut = with_units(holding), with_units(holding | {"e4": {"red": {}}, "c6": {"red": {"ship": 1}}})
    assert rate_position(linked, "red") > rate_position(cut, "red")
    siege = {"d3": {"black": {"troop": 5}}, "b3": {"black": {"troop": 1}}}
    near = with_units(siege | {"c3": {"black": {"ship": 1}}})
    far = with_units(siege | {"c1": {"black": {"ship": 1}}})
    assert rate_position(near, "red") < rate_position(far, "red") - 3


# ---- in a match ---------------------------------------------------------------------------------


def test_the_set_up_is_flipped_and_shuffled_by_the_seed() -> None:
    board = load_board(BOARD)
    made = {seed: set_up(board, seed) for seed in range(12)}
    assert {initiative for initiative, _ in made.values()} == {"red", "black"}
    assert len({tuple(tokens.values()) for _, tokens in made.values()}) > 4
    assert all(set(tokens) == set(board.slots) and len(set(tokens.values())) == 3 for _, tokens in made.values())
    assert made[3] == set_up(board, 3)


def test_the_player_stops_after_its_turns_and_at_the_end_of_the_game(match: Match) -> None:
    player = DemoPlayer(seed=4, turns=3)
    while player.act(match):
        pass
    assert turns_of(match) == 3
    assert game.owed(match.position) is None
    player = DemoPlayer(seed=4)
    while player.act(match):
        pass
    assert match.position.winner_name is not None


def test_a_step_that_is_refused_is_no_small_thing(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Autoplayer, "step", lambda self, position: Deploy("advance:a3", moves=(("d5", "troop", 1),)))
    with pytest.raises(MatchError, match="which is refused"):
        DemoPlayer(seed=1).act(match)


# ---- in words -----------------------------------------------------------------------------------


def words(before: Position, *steps: Step) -> str:
    return turn_words(before, steps, game.fold(before, steps))


def test_turns_in_words() -> None:
    start = position_of()
    assert words(start, Pass()) == "passes"
    assert words(start, Deploy("advance:c4", moves=(("d5", "troop", 2),))) == "advance c4 with 2 from d5"
    assert words(start, Deploy("plan:2", draw=2)) == "plan draws 2 cards"
    plan = Deploy("plan:1", draw=("ambush",))
    assert words(start, plan) == "plan draws 1 card", "the initiative was there already"
    others = game.apply(start, Agreed(other=OtherCorrections(initiative="black")))
    assert words(others, plan) == "plan draws 1 card and takes the initiative"
    place = (("e3", "troop", 2), ("d3", "troop", 1))
    assert words(start, Deploy("reinforce:2", place=place)) == "reinforce 2 to e3, 1 to d3"
    assert words(start, Deploy("reinforce:2")) == "reinforce nothing"


def test_conflicts_in_words() -> None:
    units = {"d5": {"red": {"troop": 5}}, "c4": {"black": {"troop": 2}}, "b5": {"black": {"troop": 3}}}
    before = with_units(units, hands={"red": [], "black": ["ambush", "mobilise"]})
    attack = Deploy("advance:c4", moves=(("d5", "troop", 4),))
    head = "advance c4 with 4 from d5: "
    accept = Accept()
    assert words(before, attack, Roll((1,), "black"), accept) == f"{head}black rolls 1, red takes it with 1"
    assert words(before, attack, Roll((2,), "black"), accept) == f"{head}black rolls 2, nobody is left"
    ambush = Play("ambush", "black")
    lost = words(before, attack, ambush, Roll((1, 1, 1), "black"), accept)
    assert lost == f"{head}black plays ambush, black rolls 1+1+1, black holds with 1"
    again = words(before, attack, Roll((0,), "black"), Reroll("mobilise", "black"), Roll((1,), "black"), accept)
    assert again == f"{head}black rolls 0, black spends mobilise to roll again, black rolls 1, red takes it with 1"


def test_shots_and_the_fall_of_a_headquarters_in_words() -> None:
    before = with_units({"d3": {"red": {"troop": 2}}, "c3": {"black": {"ship": 2}}})
    shot = Deploy("shell:d3", target="c3")
    assert words(before, shot, Roll((1, 0), "red")) == "shell c3 from d3: red rolls 1+0, hits 1"
    assert words(before, shot, Roll((0, 0), "red")) == "shell c3 from d3: red rolls 0+0, hits nothing"
    chain = {"b3": {"black": {"troop": 2}}, "c3": {"black": {"ship": 1}}, "d3": {"black": {"troop": 5}}}
    before = with_units(chain | {"e3": {"red": {"troop": 1}}}, to_move="black")
    line = words(before, Deploy("advance:e3", moves=(("d3", "troop", 4),)), Roll((1,), "red"))
    assert line.endswith("black takes it with 2; the headquarters falls, black wins")


def test_a_card_named_with_the_deployment_is_told() -> None:
    before = with_units(TAKEN, **HELD, hands=COUNTERATTACK)
    step = Deploy("advance:c4", moves=(("d5", "troop", 2),), cards=("counterattack",))
    told = words(before, step, Roll((0,), "black"))
    assert told.startswith("advance c4 with 2 from d5 by counterattack: black rolls 0")


def test_a_turn_that_begins_inside_another_is_told_as_it_is() -> None:
    start = position_of()
    assert turn_words(start, [Accept()], start) == "Accept(by=None)"
