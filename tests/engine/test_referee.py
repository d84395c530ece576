"""The referee: every request of the protocol, and that it keeps answering whatever comes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.orders import board
from engine.orders.wire import position_to_json
from engine.referee import answer, reply, serve
from tests.boards import practice
from tests.tables import rivers, valley

Json = dict[str, Any]
START: Json = {"do": "new", "board": "sengoku-rivers", "initiative": "red", "bonuses": {"sun": "barracks"}}
ADVANCE: Json = {"deploy": "advance:c4", "moves": {"d3": {"troop": 3}}}


def ask(do: str, **more: Any) -> Json:
    """Return the referee's answer to a request, passed through its line of JSON."""
    answered: Json = json.loads(answer(json.dumps({"do": do, **more})))
    return answered


def on(red: str = "e3:3 d3:4 d4:1", black: str = "a3:3 c4:2", **more: Any) -> Json:
    return position_to_json(rivers(red, black, **more))


@pytest.fixture
def known_valley(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = practice.valley()
    monkeypatch.setitem(board.BOARDS._added, made_up.name, made_up)


def bad(request: object) -> str:
    error = reply(json.dumps(request))["error"]
    assert error["kind"] == "bad_request"
    return str(error["message"])


# --- new --------------------------------------------------------------------------------


def test_a_bad_new_is_one_clear_line() -> None:
    assert bad(START | {"board": "wwii-polar"}).startswith("no board named 'wwii-polar'")
    assert bad(START | {"initiative": "green"}).startswith("initiative: 'green' is no faction")


# --- legal ------------------------------------------------------------------------------


def test_legal_lists_moves_shots_placements_and_draws() -> None:
    answered = ask("legal", position=on("e3:3 d3:4 d4:1 e1:1 d1:1", bonuses={"sun": "war_room"}))
    assert answered["pass"] is True
    spaces = answered["spaces"]
    assert spaces["advance:c4"] == {"sources": {"d3": {"troop": 3}, "e3": {"troop": 2}}}
    assert spaces["bombard:d4"]["targets"] == ["c4", "d3", "d5", "e3"]
    assert spaces["reinforce:1"] == {"areas": ["d1", "d3", "e1", "e3"], "amount": 6}
    assert spaces["embark:2"] == {"areas": ["d4", "e4"], "amount": 2}
    assert spaces["plan:1"] == {"draw": 2}


def test_legal_lists_drops_payloads_and_what_either_may_come_to() -> None:
    alpine = reply(json.dumps({"do": "new", "board": "wwii-alpine", "initiative": "blue"}))["position"]
    spaces = ask("legal", position=alpine)["spaces"]
    drops = [offer for space, offer in spaces.items() if space.startswith("paradrop:")]
    assert drops
    assert all(offer.keys() == {"targets", "amount"} and offer["amount"] == 2 for offer in drops)
    island = reply(json.dumps({"do": "new", "board": "wwii-island", "initiative": "blue"}))["position"]
    spaces = ask("legal", position=island)["spaces"]
    assert spaces["take_off:1"].keys() == {"areas", "amount"}
    for space, offer in spaces.items():
        if space.startswith("bomb:"):
            assert offer.keys() == {"targets", "payload"}
            assert offer["payload"] > 0
        if space.startswith("barrage:"):
            assert offer.keys() == {"targets", "dice"}
    assert ask("apply", position=island, steps=[{"pass": True}])["position"]["passed"] == ["blue"]


def test_legal_says_how_many_of_the_units_may_be_siege_weapons() -> None:
    fortress = reply(json.dumps({"do": "new", "board": "sengoku-fortress", "initiative": "red"}))["position"]
    spaces = ask("legal", position=fortress)["spaces"]
    assert [spaces[space].get("most") for space in ("reinforce:1", "reinforce:2")] == [{"siege": 2}, {"siege": 1}]
    assert spaces["embark:1"].keys() == {"areas", "amount"}


@pytest.mark.usefixtures("known_valley")
def test_pending_names_the_spaces_to_return_a_commander_from() -> None:
    held = position_to_json(
        valley(
            "a1:4 a2:2 a3:1",
            "c3:4 b3:4",
            bonuses={"3": "signal_unit"},
            to_move="yellow",
            standby={"blue": 3, "yellow": 4},
            left={"blue": 0, "yellow": 3},
            commanders={"advance:a2": "blue", "plan:1": "blue"},
        )
    )
    fought = [{"deploy": "advance:a3", "moves": {"b3": {"troop": 3}}}, {"roll": [0], "by": "blue"}]
    pending = ask("apply", position=held, steps=fought)["pending"]
    assert (pending["wants"], pending["by"], pending["spaces"]) == ("return", "blue", ["advance:a2", "plan:1"])
    told = pending["message"]
    assert told == "Blue chooses which commander goes back to standby"
    refused = ask("apply", position=held, steps=[*fought, {"pass": True}])["error"]
    assert (refused["step"], refused["rule"], refused["message"]) == (2, "turn.owed", f"first, {told}")
    done = ask("apply", position=held, steps=[*fought, {"return": "plan:1", "by": "blue"}])
    assert (done["pending"], done["position"]["standby"]) == (None, {"blue": 4, "yellow": 3})


@pytest.mark.usefixtures("known_valley")
def test_pending_says_where_a_roll_may_have_other_dice() -> None:
    start = position_to_json(valley(hands={"blue": 1}))
    steps = [{"deploy": "barrage:a2", "target": "c2"}, {"play": "artillery_strike", "by": "blue"}]
    assert ask("apply", position=start, steps=steps)["pending"]["loose"] is True


def test_legal_in_a_finished_game_and_inside_a_turn_is_empty() -> None:
    over = on() | {"winner": "red", "reason": "hq_lost"}
    assert ask("legal", position=over) == {"pass": False, "spaces": {}}
    inside = ask("apply", position=on(), steps=[ADVANCE])["position"]
    assert ask("legal", position=inside) == {"pass": False, "spaces": {}}


# --- apply ------------------------------------------------------------------------------


def test_apply_goes_on_from_a_position_inside_a_turn() -> None:
    inside = ask("apply", position=on(), steps=[ADVANCE])["position"]
    answered = ask("apply", position=inside, steps=[{"roll": [0], "by": "black"}])
    assert answered["position"]["units"]["c4"] == {"red": {"troop": 1}}
    assert answered["pending"] is None
    assert answered["events"] == ["Black rolls 0", "Red loses 2 troops in c4", "Black loses 2 troops in c4"]


def test_apply_without_steps_changes_nothing() -> None:
    assert ask("apply", position=on(), steps=[]) == {"position": on(), "pending": None, "events": []}


def test_pending_names_the_cards_that_may_be_played_and_that_dice_may_be_rolled_again() -> None:
    position = on(hands={"red": "ground_assault", "black": "ambush"})
    pending = ask("apply", position=position, steps=[ADVANCE])["pending"]
    assert pending["cards"] == [{"by": "red", "card": "ground_assault"}, {"by": "black", "card": "ambush"}]
    rolled = [ADVANCE, {"roll": [0], "by": "black"}]
    pending = ask("apply", position=position, steps=rolled)["pending"]
    assert (pending["wants"], pending["by"], pending["reroll"]) == ("accept", "black", True)


def test_apply_names_the_step_that_failed_with_rule_citation_and_facts_and_applies_nothing() -> None:
    answered = ask("apply", position=on(), steps=[{"pass": True}, {"deploy": "advance:c3"}])
    assert set(answered) == {"error"}
    error = answered["error"]
    assert (error["step"], error["rule"], error["cite"]) == (1, "space.known", "Actions, p. 12")
    assert error["message"] == "there is no action space advance:c3 on this board"


def test_apply_gives_the_further_objections_too() -> None:
    step = {"deploy": "advance:c4", "moves": {"d3": {"troop": 4}, "c5": {"troop": 1}}}
    error = ask("apply", position=on(), steps=[step])["error"]
    assert error["rule"] == "advance.source-supply"
    assert [also["rule"] for also in error["also"]] == ["advance.last-unit"]
    assert all(also["holds"] is False for also in error["also"])


def test_apply_names_the_reading_that_an_objection_rests_on() -> None:
    step = {"deploy": "embark:1", "place": {"e4": {"ship": 1}, "c6": {"ship": 1}, "z9": {"ship": 1}}}
    error = ask("apply", position=on("e3:3", "a3:3"), steps=[step])["error"]
    assert error["rule"] == "area.known"
    assert [(also["rule"], also["reading"]) for also in error["also"]] == [("embark.chain", "embark-chain")]


def test_apply_names_a_step_that_is_none() -> None:
    error = ask("apply", position=on(), steps=[{"pass": True}, {"fly": 1}])["error"]
    assert (error["step"], error["rule"]) == (1, "step.form")
    assert error["message"].startswith("a step has one of the keys")


def test_apply_needs_a_list_of_steps() -> None:
    assert bad({"do": "apply", "position": on(), "steps": {"pass": True}}) == "steps: expected a list of steps"
    assert bad({"do": "apply", "position": on()}) == "steps: expected a list of steps"


# --- supply and score -------------------------------------------------------------------


def test_score_counts_as_if_the_game_ended_now() -> None:
    answered = ask("score", position=on("e3:1 e1:1 d1:1 c5:1", "a3:1 a1:1 b2:1 c1:1"))
    assert answered["vp"] == {"red": 1, "black": 2}
    assert answered["areas"] == {"red": {"d1": 1}, "black": {"b2": 1, "c1": 1}}
    assert (answered["winner"], answered["reason"]) == ("black", "victory_points")
    assert answered["why"][0] == "Black leads with 2 points to 1"
    assert "empty_headquarters" not in answered


def test_score_names_an_empty_headquarters_and_who_wins_by_it() -> None:
    answered = ask("score", position=on("d3:1", "a3:1"))
    assert (answered["empty_headquarters"], answered["headquarters_winner"]) == (["red"], "black")


# --- check ------------------------------------------------------------------------------


def test_check_gives_every_criterion_looked_at() -> None:
    answered = ask("check", position=on(), steps=[ADVANCE])
    assert answered["legal"] is True
    rules = {ruling["rule"]: ruling for ruling in answered["rulings"]}
    assert {"advance.not-controlled", "advance.source-supply", "advance.reach", "advance.last-unit"} <= set(rules)
    assert all(ruling["holds"] and ruling["cite"] and ruling["message"] for ruling in rules.values())


def test_check_gives_what_holds_beside_what_does_not() -> None:
    step = {"deploy": "advance:c4", "moves": {"d3": {"troop": 4}}}
    answered = ask("check", position=on(), steps=[step])
    assert answered["legal"] is False
    assert [r["rule"] for r in answered["rulings"] if not r["holds"]] == ["advance.last-unit"]
    assert any(r["holds"] for r in answered["rulings"])


def test_check_looks_at_later_steps_too_up_to_the_first_that_fails() -> None:
    steps = [ADVANCE, {"roll": [0], "by": "black"}, {"pass": True}, {"pass": False}, {"pass": True}]
    answered = ask("check", position=on(), steps=steps)
    assert answered["legal"] is False
    assert answered["rulings"][-1]["rule"] == "step.form"
    assert ask("check", position=on(), steps=steps[:3])["legal"] is True


# --- the protocol -----------------------------------------------------------------------


@pytest.mark.parametrize("ident", [7, "a", None, [1, 2], {"n": 1}])
def test_an_id_given_is_given_back(ident: object) -> None:
    assert ask("supply", id=ident, position=on())["id"] == ident
    assert ask("fly", id=ident)["id"] == ident
    assert ask("apply", id=ident, position=on(), steps=[{"pass": 0}])["id"] == ident
    assert ask("legal", id=ident, position={})["id"] == ident
    assert "id" not in ask("supply", position=on())


@pytest.mark.parametrize("request_", [[], 4, "new", None, True])
def test_a_request_is_an_object(request_: object) -> None:
    assert bad(request_) == "a request is an object"


@pytest.mark.parametrize("do", [None, "fly", "", 4, ["new"], {"new": 1}])
def test_an_unknown_request_is_answered_with_those_that_are_known(do: object) -> None:
    message = bad({"do": do})
    assert message.startswith("do: expected one of new, apply, check, legal, supply, score")
    assert bad({}) == message


@pytest.mark.parametrize("do", ["legal", "apply", "supply", "score", "check"])
@pytest.mark.parametrize(
    ("position", "words"),
    [
        (None, "position: expected an object, not None"),
        ([], "position: expected an object, not []"),
        ({}, "board: expected a name, not None"),
        ({"board": "x"}, "no board named 'x'"),
        ({"board": "sengoku-rivers", "round": 9, "initiative": "red", "to_move": "red"}, "round: 1 to 4, not 9"),
    ],
)
def test_a_bad_position_is_one_clear_line_for_every_request(do: str, position: object, words: str) -> None:
    assert bad({"do": do, "position": position, "steps": []}).startswith(words)


def test_it_answers_a_line_for_a_line_goes_on_after_errors_and_ends_with_its_input() -> None:
    lines = [json.dumps(START | {"id": 1}), "", "nonsense", '{"do": "fly", "id": 2}', "   ", json.dumps(START)]
    out = io.StringIO()
    serve(io.BytesIO("\n".join(lines).encode() + b"\n"), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [("position" in a, a.get("id")) for a in answers] == [(True, 1), (False, None), (False, 2), (True, None)]


def test_an_answer_is_one_line_of_plain_text() -> None:
    line = answer(json.dumps({"do": "fly", "id": "総\n"}))
    assert line.isascii()
    assert "\n" not in line


KEYS = [
    *("board", "round", "initiative", "to_move", "bonuses", "units", "commanders", "commanders_left", "standby"),
    *("hands", "discard", "spent", "winner", "reason", "readings", "turn", "steps", "seen", "deploy", "moves"),
]
LEAVES = st.none() | st.booleans() | st.integers(-1, 6) | st.floats() | st.sampled_from(["red", "e3", "x", ""])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["red", "black", "e3", "sun", "troop", "plan:1", "place-fewer"]), inner, max_size=2
        )
    ),
    max_leaves=6,
)


@given(
    st.sampled_from(["new", "legal", "apply", "supply", "score", "check"]),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
)
def test_whatever_comes_is_answered(do: str, beside: Json, changes: Json) -> None:
    request = {**START, "steps": [], **beside, "do": do, "position": on() | changes}
    answered = reply(json.dumps(request))
    assert isinstance(answered, dict)
    json.dumps(answered)


def in_turns() -> list[Json]:
    """Positions inside a turn, one for each stage that can wait."""
    hands = {"red": "ground_assault ship_strike mobilise", "black": "ambush mobilise"}
    base = on("e3:3 d3:4 d4:2", "a3:3 c4:2 c3:2", hands=hands)
    shell = [{"deploy": "shell:d3", "target": "c3"}, {"roll": [1, 0], "by": "red"}]
    ways = [[ADVANCE], [ADVANCE, {"accept": True}], [ADVANCE, {"roll": [1], "by": "black"}], shell[:1], shell]
    ways.append([*shell, {"accept": True}])
    positions = [ask("apply", position=base, steps=steps)["position"] for steps in ways]
    assert {position["turn"]["stage"] for position in positions} == {"join", "defence", "rolled", "shot", "again"}
    return positions


IN_TURNS = in_turns()
TURN_PARTS = st.fixed_dictionaries(
    {},
    optional={
        "space": st.sampled_from(["advance:c4", "shell:d3", "plan:1", "embark:1", "x"]),
        "stage": st.sampled_from(["join", "defence", "shot", "rolled", "losses", "again", "x"]),
        "area": st.sampled_from(["c4", "c3", "e3", None, 4]),
        "contested": st.sampled_from([[], ["c4"], ["c3", "c4"], None]),
        "dice": st.integers(-1, 3),
        "faces": st.lists(st.integers(0, 3), max_size=3),
        "losses": st.lists(
            st.tuples(st.sampled_from(["red", "black"]), st.sampled_from(["c4", "c3"]), st.integers(0, 3)), max_size=2
        ),
        "then": st.sampled_from(["attrition", "conflict", "again", "end", "x"]),
        "open": st.booleans(),
    },
)
STEPS: list[Json] = [
    {"roll": [1], "by": "black"},
    {"roll": [1, 1], "by": "red"},
    {"accept": True},
    {"reroll": "mobilise", "by": "black"},
    {"reroll": "mobilise", "by": "red"},
    {"play": "ground_assault", "by": "red"},
    {"play": "ship_strike", "by": "red", "target": "c3"},
    {"play": "ambush", "by": "black"},
    {"remove": {"troop": 1}, "by": "red"},
    {"pass": True},
]


@given(st.sampled_from(IN_TURNS), TURN_PARTS, st.lists(st.sampled_from(STEPS), max_size=3))
def test_a_turn_in_progress_that_nobody_played_is_answered_too(position: Json, parts: Json, steps: list[Json]) -> None:
    for do in ("legal", "apply", "check", "score"):
        changed = position | {"turn": position["turn"] | parts}
        assert reply(json.dumps({"do": do, "position": changed, "steps": steps}))
