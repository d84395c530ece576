"""The forms of a deployment, by touches."""

from __future__ import annotations

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.card_panels import CardForm
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm, placed_last
from companion.scenes.orders.targeting import ShotForm
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.game import judge
from engine.orders.steps import Deploy
from tests.companion.orders.turn.playing import PASS, TO_C4, changes, happened, last, scene
from tests.companion.sample_games import played
from tests.companion.touching import Hand, steppers
from tests.tables import after, deploy, valley


def marks(hand: Hand) -> dict[str, str]:
    return {area.name: area.mark for area in hand.picture.areas if area.mark}


def odds(hand: Hand) -> list[str]:
    shown = hand.blocks(scr.Odds)
    told = [(block.text, *(f"{share.label} {share.value}" for share in block.shares)) for block in shown]
    return [text for texts in told for text in texts]


# ---- Advance and Sail -------------------------------------------------------------------------


def test_advance_counts_units_on_the_map_and_by_steppers(table: Hand) -> None:
    table.area("c4")
    assert marks(table) == {"c4": "target", "d5": "chosen"}
    assert changes(table) == {"d5": -2, "c4": 2}, "all that can go is filled in"
    for n in (1, 2, 1):
        table.area("d5")
        assert changes(table) == {"d5": -n, "c4": n}, "one more touch than there are begins anew, and never at nothing"
    table.count("d5", -1)
    assert marks(table)["d5"] == "live"
    table.count("d5", 5)
    assert changes(table) == {"d5": -2, "c4": 2}, "the last unit stays"
    table.count("d5", -1).press("Deploy")
    assert last(table) == Deploy("advance:c4", moves=(("d5", "troop", 1),))


def test_areas_that_send_nothing_are_no_sources(table: Hand) -> None:
    table.area("c4")
    assert changes(table) == {"d5": -2, "c4": 2}
    table.app.touch(Intent("count", "a1/troop", 1))
    assert changes(table) == {"d5": -2, "c4": 2}
    table.area("e1")
    assert isinstance(table.app.scene, RulingScene), "an area of one's own that cannot send says why"
    table.press("Back").put(d5=0)
    assert table.button("Deploy").look == "off"
    table.press("Deploy")
    assert isinstance(table.app.scene, RulingScene), "an empty form is not confirmed but explained"
    table.press("Back")
    assert isinstance(scene(table).panel, MoveForm), "what was filled in is still there"


def test_a_conflict_is_foretold(table: Hand) -> None:
    happened(table, TO_C4, PASS)
    table.area("b5")
    assert marks(table) == {"b5": "target", "c4": "chosen"}
    assert odds(table) == [
        "Conflict in b5: 1 against 3, 1 die in defence",
        "Black keeps it 100%",
    ]


def test_ships_join_by_river_assault(table: Hand) -> None:
    happened(table, {"deploy": "plan:1", "draw": ["river_assault"]}, PASS)
    table.area("d4").put(e4=1)
    for ships in (3, 1, 3):
        table.press("River Assault")
        assert changes(table) == {"e4": -1, "d4": ships}, "a card can be put back"
    table.press("Deploy")
    assert last(table) == Deploy("sail:d4", moves=(("e4", "ship", 1), ("reserve", "ship", 2)), cards=("river_assault",))


def test_counterattack_opens_a_space_that_the_opponent_holds(table: Hand) -> None:
    happened(table, PASS, {"deploy": "plan:1", "draw": ["counterattack"]}, TO_C4)
    table.area("c4")
    assert table.button("Advance to c4").note == "taken by Red"
    table.press("Advance to c4 with Counterattack")
    assert table.button("Counterattack").look == "chosen"
    assert "Red keeps it 83%" in odds(table), "all that can go into a fight go"
    table.press("Deploy")
    assert last(table) == Deploy("advance:c4", moves=(("b5", "troop", 2),), cards=("counterattack",))


# ---- Bombard and Shell ------------------------------------------------------------------------


def test_shell_takes_its_target_from_map_or_button(table: Hand) -> None:
    table.space("shell:d5")
    assert set(marks(table)) == {"c6", "d4", "e4"}
    assert table.button("c6").note == "no enemy there"
    assert table.button("Deploy").look == "off"
    table.area("c5")
    assert isinstance(table.app.scene, RulingScene), "a wrong area says why not"
    table.press("Back").area("c6")
    assert marks(table)["c6"] == "target"
    table.press("d4", "Deploy")
    assert last(table) == Deploy("shell:d5", target="d4")


def test_the_only_enemy_in_reach_is_chosen_beforehand(table: Hand) -> None:
    happened(table, {"deploy": "sail:c6", "moves": {"e4": {"ship": 1}}})
    table.space("shell:b5")
    panel = scene(table).panel
    assert isinstance(panel, ShotForm)
    assert panel.target == "c6"
    assert table.button("c6").note == "1 ship there"
    assert odds(table) == ["2 dice against 1 in c6: chance of hits", "0 3%", "1 97%"]
    table.area("a4")
    assert odds(table) == ["2 dice, but nothing to hit"]


# ---- Reinforce and Embark ---------------------------------------------------------------------


def test_reinforce_shows_what_is_left_and_keeps_to_it(table: Hand) -> None:
    table.press("Reinforce 1")
    assert "6 of 6 placed" in table.text(), "a suggestion is filled in"
    table.area("e1", "e1").count("d3", 3)
    assert "5 of 6 placed" in table.text()
    table.count("d5", 4)
    assert "6 of 6 placed" in table.text()
    assert changes(table) == {"e1": 2, "d3": 3, "d5": 1}
    table.area("e3").count("e1", -1)
    assert "5 of 6 placed" in table.text()
    table.press("Deploy")
    step = last(table)
    assert isinstance(step, Deploy)
    assert set(step.place) == {("e1", "troop", 1), ("d3", "troop", 3), ("d5", "troop", 1)}


def test_the_rest_goes_evenly_where_one_each_was_placed_else_to_the_area_touched_last(table: Hand) -> None:
    table.press("Reinforce 1").area("e1", "d3", "d5")
    table.press("Rest evenly")
    assert changes(table) == {"e1": 2, "d3": 2, "d5": 2}
    assert "Rest evenly" not in table.labels, "nothing is left"
    table.press("Cancel", "Reinforce 1").area("e1", "e1", "d5")
    table.press("Rest in d5")
    assert changes(table) == {"e1": 2, "d5": 4}
    table.press("Cancel", "Reinforce 1").area("d3").press("Rest in d3", "Deploy")
    step = last(table)
    assert isinstance(step, Deploy)
    assert set(step.place) == {("d3", "troop", 6)}


def test_the_rest_goes_as_far_as_areas_have_room_and_recall_leaves_what_is_placed_into() -> None:
    form = PlaceForm(valley("a1:5 a2:4 b1:3"), "reinforce:1")
    for area in ("a2", "b1"):
        form.change(Intent("area", area))
    form.change(Intent("rest"))
    assert {area: n for area, _unit, n in form.step().place} == {"a2": 1, "b1": 2}
    form.change(Intent("rest"))
    assert form.counts.total() == form.amount()
    form = PlaceForm(valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:2", "c3:4"), "reinforce:1")
    form.change(Intent("area", "a3"))
    assert ("a3", "troop") not in form.recallable()
    assert ("a1", "troop") in form.recallable()


def test_what_was_placed_last_is_placed_again_by_one_touch(table: Hand) -> None:
    table.press("Reinforce 1")
    form = scene(table).panel
    assert isinstance(form, PlaceForm)
    assert "As last time" not in table.labels
    form.earlier = (("b5", "troop", 1), ("e1", "troop", 2), ("d3", "troop", 5))
    table.press("As last time")
    assert changes(table) == {"e1": 2, "d3": 4}, "as far as it may be placed there now, and as there are units"
    assert "As last time" not in table.labels


def test_last_time_is_the_mover_s_own_by_the_same_action() -> None:
    steps, positions = played()
    placed = [n for n, step in enumerate(steps) if isinstance(step, Deploy) and step.space.startswith("reinforce")]
    first = {positions[n].to_move_name: n for n in reversed(placed)}
    second = next(n for n in placed if n not in first.values())
    form, before = PlaceForm(positions[second], "reinforce:1"), first[positions[second].to_move_name]
    assert placed_last(form, steps[:second], positions[: second + 1]) == getattr(steps[before], "place", None)
    assert placed_last(form, steps[:before], positions[: before + 1]) == ()


def test_barracks_and_mobilise_add_to_the_amount(table: Hand) -> None:
    happened(table, {"deploy": "plan:1", "draw": ["mobilise"]}, PASS)
    table.press("Reinforce 2")
    assert "5 of 5 placed" in table.text()
    table.press("Mobilise")
    assert "5 of 7 placed" in table.text()
    table.put(d3=0, d5=0, e3=0).put(e1=7).press("Deploy")
    assert last(table) == Deploy("reinforce:2", place=(("e1", "troop", 7),), cards=("mobilise",))


def test_a_short_reserve_is_filled_by_recall(table: Hand) -> None:
    happened(table, {"deploy": "embark:1", "place": {"d4": {"ship": 3}}}, PASS)
    happened(table, {"deploy": "sail:c3", "moves": {"d4": {"ship": 1}}}, *[PASS] * 7)
    happened(table, {"deploy": "embark:1", "place": {"d4": {"ship": 1}, "c3": {"ship": 2}}}, *[PASS] * 9)
    table.press("Embark 1")
    assert "reserve: 1 ship" in table.text()
    for stepper in steppers(table.screen.blocks):
        table.put(**{stepper.label: 0})
    for _ in range(3):
        table.app.touch(Intent("count", "c3/ship", 1))
    assert "Not enough in reserve" in table.text()
    assert table.button("Deploy").look == "off"
    recalls = [stepper for stepper in steppers(table.screen.blocks) if stepper.verb == "back"]
    assert [recall.label for recall in recalls] == ["from c3", "from d4", "from e4"]
    table.app.touch(Intent("back", "e4/ship", 1))
    table.app.touch(Intent("back", "e4/ship", 1))
    assert changes(table) == {"c3": 3, "e4": -2}
    table.press("Deploy")
    assert last(table) == Deploy("embark:1", place=(("c3", "ship", 3),), recall=(("e4", "ship", 2),))


def test_commandeer_opens_enemy_water(table: Hand) -> None:
    embark = {"deploy": "embark:1", "place": {"b4": {"ship": 1}}}
    happened(table, {"deploy": "plan:1", "draw": ["commandeer"]}, embark, TO_C4, PASS)
    table.press("Embark 2")
    assert "b4" not in [stepper.label for stepper in steppers(table.screen.blocks)]
    table.press("Commandeer")
    assert "2 of 3 placed" in table.text()
    table.area("b4", "b4", "b4").press("Deploy")
    assert isinstance(scene(table).panel, RollPanel)
    assert "Black rolls 1 die for b4" in table.text()


# ---- Plan -------------------------------------------------------------------------------------


def test_plan_draws_a_number_or_names(table: Hand) -> None:
    table.press("Plan 2")
    assert "Draw 2 cards" in table.text()
    table.press("Name the cards (open hands)")
    assert table.button("Deploy").look == "off"
    table.press("Ambush", "Mobilise")
    assert "Ambush, Mobilise" in table.text()
    table.press("Commandeer")
    assert "Drawn: Commandeer" in table.text(), "one too many begins anew"
    table.press("Ambush", "Deploy")
    assert last(table) == Deploy("plan:2", draw=("commandeer", "ambush"))
    table.press("Plan 1")
    assert "initiative" in table.text()
    table.press("Name the cards (open hands)", "Keep hidden", "Deploy")
    assert last(table) == Deploy("plan:1", draw=1)
    while table.position.round == 1 or table.position.to_move_name == "black":
        happened(table, PASS)
    assert table.press("Plan 1").button("Keep hidden"), "whoever has named cards is asked for names again"


def test_where_the_limit_binds_as_units_are_placed_no_form_goes_beyond_it() -> None:
    position = valley("a1:5 a2:4 b1:3", hands={"blue": "mobilize"})
    form = PlaceForm(position, "reinforce:1")
    assert (form.places(), form.amount()) == ([("a2", "troop"), ("b1", "troop")], 3)
    form.begin()
    assert {area: n for area, _, n in form.step().place} == {"a2": 1, "b1": 2}
    for _ in range(3):
        form.change(Intent("count", "a2/troop", 1))
    assert dict(form.counts.of)["a2", "troop"] == 1
    assert judge(position, form.step()).legal
    card = CardForm(after(position, deploy("reinforce:1", "a2:1")), position.board.mode.cards["mobilize"], "blue")
    assert card.areas() == ["b1"]
    full = after(valley("a1:5 a2:5 b1:4", hands={"blue": "mobilize"}), deploy("reinforce:1"))
    card = CardForm(full, position.board.mode.cards["mobilize"], "blue")
    for _ in range(2):
        card.change(Intent("count", "b1/troop", 1))
    assert card.step().place == (("b1", "troop", 1),)
