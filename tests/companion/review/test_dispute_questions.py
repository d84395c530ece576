"""Questions to the rules are put as a player would mean them, and remedies are true."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from companion.scenes.base.reasons import sort_findings
from companion.scenes.disputes.ask import area_facts, area_verdict
from companion.scenes.disputes.questions import as_mover, card_question, remedies, space_question, switch_effects
from companion.scenes.disputes.reasons import chain_of, criterion_map, criterion_words, named_areas
from companion.text.orders import space_title
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Play, Roll
from engine.ruling import Finding
from tests.boards.practice import castle
from tests.companion.sample_games import played
from tests.tables import after, atoll, deploy, rivers, rolled, stand, valley

CUT = rivers("e3:3 d3:3 c1:2 b1:2", "a3:3 c2:2 b2:2")


FOUGHT = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:2"))
SIEGE = stand(castle(), "a1:3 a2:1+2 b1:2", "c1:3 b2:3+1")


@cache
def between_turns() -> tuple[Position, ...]:
    """Positions of a whole game where a new turn is to begin."""
    found = played()[1]
    return tuple(position for position in found if game.owed(position) is None)[::12]


def texts(position: Position, faction: str, space: str) -> tuple[str, ...]:
    return space_question(position, faction, space).remedies


# ---- spaces -----------------------------------------------------------------------------------


def test_the_answer_for_every_space_and_side_is_the_engines() -> None:
    for position in between_turns():
        for faction in position.board.factions:
            legal = game.legal(as_mover(position, faction)).spaces
            for space in position.board.spaces:
                question = space_question(position, faction, space.name)
                assert question.ruling.legal == (space.name in legal), (space.name, question.ruling.objections)
                assert not (question.ruling.legal and question.remedies)


def test_it_says_whose_turn_it_is_where_the_other_asks() -> None:
    position = rivers("e3:3", "a3:3")
    assert space_question(position, "red", "plan:1").preface == ""
    assert space_question(position, "black", "plan:1").preface.startswith("It's Red's turn.")
    assert space_question(replace(position, winner=0, reason="hq_lost"), "black", "plan:1").preface == ""


def test_inside_a_turn_the_turn_comes_first() -> None:
    question = space_question(FOUGHT, "black", "plan:1")
    assert criterion_words(sort_findings(question.ruling)[0], question) == "First, Black rolls 1 die for c4."
    assert question.remedies == ()


@pytest.mark.parametrize(
    ("position", "space", "told"),
    [
        (
            rivers("e3:3 e1:3", commanders={"advance:d1": "black"}, hands={"red": "counterattack"}),
            "advance:d1",
            "Allowed with Counterattack.",
        ),
        (rivers("e3:3 e1:3", commanders={"plan:1": "red"}), "plan:2", "Allowed next round"),
        (CUT, "bombard:c1", "Allowed if Red also controlled"),
        (rivers("e3:3 e1:1", "a3:3"), "advance:d1", "Allowed with one more unit in e1"),
        (rivers("e3:3 d3:3", "a3:3"), "advance:a1", "Red can: "),
    ],
)
def test_what_would_help_is_told(position: Position, space: str, told: str) -> None:
    question = space_question(position, "red", space)
    assert not question.ruling.legal
    assert any(text.startswith(told) for text in question.remedies), question.remedies


def test_the_last_round_puts_nobody_off_and_a_finished_game_offers_nothing() -> None:
    last = replace(rivers("e3:3", commanders={"plan:1": "red"}), round=4)
    assert not any("next round" in text for text in texts(last, "red", "plan:2"))
    over = replace(rivers("e3:3", "a3:3"), winner=0, reason="hq_lost")
    assert texts(over, "red", "plan:1") == ()
    assert card_question(over, "red", "mobilise").remedies == ("Any card can also be spent to reroll your dice.",)


# ---- cards ------------------------------------------------------------------------------------


def test_a_card_is_refused_with_its_moment_and_the_spaces_it_goes_with() -> None:
    position = rivers("e3:3 d3:3", "a3:3", hands={"red": "mobilise"})
    question = card_question(position, "red", "mobilise")
    assert not question.ruling.legal
    assert criterion_words(sort_findings(question.ruling)[0], question).startswith("Mobilise can't be played now.")
    assert question.remedies[0] == "You can play it with: Reinforce 1 and Reinforce 2."
    assert "Place up to 2 more troops" in question.preface


def test_a_card_for_a_shared_space_names_the_spaces_it_opens() -> None:
    position = rivers("e3:3 e1:3", commanders={"advance:d1": "black"}, hands={"red": "counterattack"})
    assert card_question(position, "red", "counterattack").remedies[0] == "You can play it with: Advance to d1."
    ambush = card_question(rivers("e3:3 d3:3", hands={"red": "ambush"}), "red", "ambush")
    assert len(ambush.remedies) == 1, "one of the opponent's moment goes with no space"


def test_a_card_is_allowed_in_its_moment_and_a_second_shot_tried_at_what_it_may_hit() -> None:
    shelled = after(
        rivers("e3:3 d3:3", "a3:3 c3:2", hands={"red": "ship_strike"}), deploy("shell:d3", "c3"), rolled("red", 0, 0)
    )
    question = card_question(shelled, "red", "ship_strike")
    assert question.ruling.legal
    assert getattr(question.step, "target", None)
    fought = after(rivers("e3:3 d3:3 d4:2", "a3:3 c4:2", hands={"black": "ambush"}), deploy("advance:c4", "d3:2"))
    assert card_question(fought, "black", "ambush").ruling.legal


def test_of_a_hidden_hand_only_what_is_known_is_said() -> None:
    position = rivers("e3:3 d3:3", "a3:3", hands={"red": 2})
    question = card_question(position, "red", "mobilise")
    held = next(finding for finding in question.ruling.findings if finding.rule == "card.held")
    assert criterion_words(held, question) == "Red has 2 cards hidden; this may be one of them."
    open_hand = card_question(rivers("e3:3", "a3:3", hands={"red": "mobilise"}), "red", "mobilise")
    held = next(finding for finding in open_hand.ruling.findings if finding.rule == "card.held")
    assert criterion_words(held, open_hand) == "Red has Mobilise in hand."


def test_what_would_help_is_told_of_any_refused_step() -> None:
    position = rivers("e3:3 e1:1", "a3:3", hands={"red": "mobilise"})
    for step, count in (
        (Deploy("advance:d1", moves=(("e1", "troop", 1),)), 2),
        (Deploy("advance:d1", moves=(("reserve", "troop", 1), ("z9", "troop", 1), ("e1", "dragon", 1))), 1),
        (Deploy("advance:z9"), 0),
        (Play("mobilise", "red"), 2),
        (Play("no-such", "red"), 0),
        (Play("mobilise", "green"), 0),
        (Roll((1,), "red"), 0),
        (Pass(), 0),
    ):
        assert len(remedies(position, step, game.examine(position, step))) == count, step


# ---- reasons ----------------------------------------------------------------------------------


def test_the_deciding_objection_comes_first_and_what_goes_without_saying_last() -> None:
    question = space_question(CUT, "red", "bombard:c1")
    rules = [finding.rule for finding in sort_findings(question.ruling)]
    assert rules[0] == "bombard.supply"
    assert rules[-1].partition(".")[0] in ("game", "turn", "commander", "space", "area")
    assert not any(rule.endswith(".form") for rule in rules)
    over = replace(CUT, winner=0, reason="hq_lost")
    assert sort_findings(game.examine(over, deploy("plan:1")))[0].rule == "game.over"
    ruling = game.examine(rivers("e3:3 d3:3 d5:3", "a3:3"), deploy("advance:c4", "d3:1 d4:1 e3:1"))
    told = [(finding.rule, finding.message) for finding in sort_findings(ruling)]
    assert len(told) == len(set(told)), "the same criterion is said once"


def test_spaces_are_named_as_printed_and_readings_left_to_their_touch() -> None:
    strict = rivers("e3:3 d3:2 d4:2 e1:1", "a3:3 c4:2 c3:1", readings="empty-target")
    question = space_question(strict, "red", "plan:1")
    known = next(finding for finding in question.ruling.findings if finding.rule == "space.known")
    assert criterion_words(known, question) == "“Plan 1” is an action space."
    odd = replace(known, message="advance:z9 is odd")
    assert criterion_words(odd, question) == "advance:z9 is odd."
    shot = space_question(strict, "red", "shell:d3")
    enemy = next(finding for finding in shot.ruling.findings if finding.rule == "shell.enemy")
    assert "reading" in enemy.message
    assert "reading" not in criterion_words(enemy, shot)


def test_the_map_shows_the_chain_and_where_it_breaks() -> None:
    question = space_question(CUT, "red", "bombard:c1")
    picture = criterion_map(sort_findings(question.ruling)[0], question)
    assert [(chain.faction, chain.areas, chain.gap) for chain in picture.chains] == [("red", ("c1", "c2"), "c2")]
    assert next(area.mark for area in picture.areas if area.name == "c1") == "target"
    assert criterion_map(None, question).chains == ()
    other = Finding("advance.last-unit", False, question.ruling.findings[0].citation, "one must stay in d3")
    assert criterion_map(other, question).chains == ()
    assert chain_of(CUT, "red", "a3") is None, "an area of the other has none"
    whole = chain_of(CUT, "red", "d3")
    assert whole is not None
    assert (whole.areas, whole.gap) == (("d3", "e3"), "")
    told = next(text for text in question.remedies if text.startswith("Allowed if Red also controlled"))
    gap = named_areas(CUT.board, told)[0]
    closed = rivers(f"e3:3 d3:3 c1:2 b1:2 {gap}:1", "a3:3")
    assert game.judge(closed, Deploy("bombard:c1", target="b1")).legal, "a gap that is named would close the chain"


# ---- areas ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("area", "holds", "text"),
    [
        ("d3", True, "Red controls d3, in supply."),
        ("e3", True, "Red controls e3, in supply."),
        ("c1", False, "Red controls c1, but it is cut off."),
        ("d5", None, "d5 is empty."),
    ],
)
def test_an_area_is_told_in_one_sentence(area: str, holds: bool | None, text: str) -> None:
    verdict = area_verdict(CUT, area)
    assert (verdict.holds, verdict.text) == (holds, text)


def test_the_chain_is_told_in_words() -> None:
    assert area_verdict(CUT, "d3").cite == "Chain: d3 – e3"
    assert area_verdict(CUT, "e3").cite == "This is the headquarters."
    assert area_verdict(CUT, "c1").cite.startswith("The chain breaks at ")
    held = area_verdict(rivers("e3:3 c1:1", "a3:3 d2:1 d1:1 c2:1 b1:1 b2:1"), "c1")
    assert held.cite.endswith("which Black controls.")
    free = area_verdict(rivers("e3:3 d5:1", "a3:3"), "d5")
    assert free.cite.endswith("which is empty.")


def test_a_conflict_is_nobodys_and_points_count_only_in_supply() -> None:
    assert area_verdict(FOUGHT, "c4").text == "Conflict: both have units in c4."
    assert area_facts(FOUGHT, "c4")[-1] == "Finish this turn to see what each side can do here."
    scored = next(area.name for area in CUT.board.areas if area.vp and area.name not in ("c1", "c2", "b2", "b1"))
    assert area_facts(CUT, scored)[0].endswith("nobody scores it now.")
    assert any("but cut off: not scored" in line for line in area_facts(CUT, "c1"))
    held = rivers("e3:3 d4:1", "a3:3")
    assert area_facts(held, "d4")[0] == "Worth 1 point, scored by Red."


def test_both_sides_see_what_they_could_do_there() -> None:
    position = rivers("e3:3 d3:3 d4:2", "a3:3 c4:2")
    told = area_facts(position, "c4")
    assert any(line.startswith("Red can: Advance to c4 from d3") for line in told)
    assert any("with 2 dice" in line for line in told)
    assert told[-1] == "Black has no action here.", "its chain is cut"
    assert area_facts(position, "a3")[-2:] == ("Red has no action here.", "Black can: Reinforce 1; Reinforce 2.")


def test_a_shot_at_ones_own_units_would_hit_nobody() -> None:
    start = game.new_game("sengoku-rivers", "red", {})
    assert area_facts(start, "e3")[-2] == "Red can: Reinforce 1; Reinforce 2.", "there are better things to do"
    assert area_facts(start, "c2")[-2] == "Red can: Shell from d3 with 2 dice (it would hit nobody)."
    under_fire = rivers("e3:3 d3:3 d4:2", "a3:3 c4:2")
    assert not any("hit nobody" in line for line in area_facts(under_fire, "c4"))


def test_a_payload_brings_as_many_dice_as_are_spent_and_a_drop_none() -> None:
    bombing = " ".join(area_facts(atoll("a1:4 a2:2 b1:3 zone-red:3 zone-white:3", "d2:4 c2:3 zone-green:2"), "c2"))
    assert "with up to 2 dice" in bombing
    dropping = " ".join(area_facts(valley(), "b3"))
    assert "Paradrop" in dropping
    assert "0 dice" not in bombing + dropping


# ---- open questions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "reading", "told"),
    [
        (rivers("e3:3 d4:2", "a3:3"), "empty-target", "Red could no longer use Bombard from d4 at "),
        (rivers("e3:3 d4:2", "a3:3", readings="empty-target"), "empty-target", "Red could use Bombard from d4 at "),
        (rivers("e3:3", "a3:3"), "place-fewer", "Red could no longer use Reinforce 1 at fewer than 6 units."),
        (
            rivers("e3:3", "a3:3 d4:1 c1:1", hands={"red": 1}),
            "commandeer-range",
            "Red could use Embark 1 with Commandeer at c1.",
        ),
        (
            rivers("e3:3", "a3:3 d4:1 e4:1"),
            "commandeer-many",
            "Red could no longer use Embark 1 with Commandeer at d4 and e4.",
        ),
    ],
)
def test_what_the_other_answer_would_change_now(position: Position, reading: str, told: str) -> None:
    found = switch_effects(position, reading)
    assert any(line.startswith(told) for line in found), found


def test_an_empty_deck_draws_less_by_the_other_answer() -> None:
    deck = [card.name for card in rivers("e3:3").board.mode.cards.values() for _ in range(card.copies)]
    position = replace(rivers("e3:3", "a3:3"), discard=tuple(deck[:-1]))
    assert "Red: Plan 2 would draw 1 card instead of 2 cards." in switch_effects(position, "empty-deck")


def test_nothing_changes_inside_a_turn_after_the_end_and_where_it_does_not_matter() -> None:
    assert switch_effects(FOUGHT, "empty-target") == ()
    assert switch_effects(replace(rivers("e3:3"), winner=0, reason="hq_lost"), "empty-target") == ()
    assert switch_effects(rivers("e3:3", "a3:3"), "empty-deck") == ()
    assert space_question(SIEGE, "red", "siege:a2").ruling.legal
    assert switch_effects(SIEGE, "empty-target"), "a siege is no other shot"


# ---- advice that helps ------------------------------------------------------------------------


def told(position: Position, step: Deploy) -> tuple[str, ...]:
    ruling = game.judge(position, step)
    assert not ruling.legal
    return remedies(position, step, ruling)


def test_an_empty_reserve_is_filled_from_areas_under_control() -> None:
    full = rivers("e3:5 e1:5 d3:5 d5:5 d1:5", "a3:3")
    question = space_question(full, "red", "reinforce:1")
    assert question.ruling.legal
    assert isinstance(question.step, Deploy)
    assert question.step.recall == (("d3", "troop", 1),)
    advice = told(full, deploy("reinforce:1", "d3:2"))
    assert advice == ("Allowed if you first recall 2 troops from d1.",)
    spread = rivers("e3:5 e1:5 d3:5 d5:5 d1:2 d2:2 b1:1", "a3:3")
    advice = told(spread, deploy("reinforce:1", "e1:2"))
    assert advice == ("Allowed if you first recall 1 troop from d1 and 1 troop from d2.",)
    spent = rivers("e3:3 e4:3 d4:3 c3:3 c2:1", "a3:3")
    assert told(spent, deploy("embark:1", "e4:1 d4:1 c3:1 c2:1")) == (), "nothing can be taken back"


def test_other_targets_and_other_sources_are_told() -> None:
    assert told(SIEGE, deploy("bombard:b1", "b2")) == ("From here you can target c1.",)
    advice = told(rivers("e3:3 d3:1 d4:2", "a3:3 c4:2"), deploy("advance:c4", "d3:1"))
    assert "Units can come from e3 (up to 2)." in advice


@pytest.mark.parametrize("position", between_turns())
def test_no_advice_names_what_was_just_refused_or_would_be_refused_too(position: Position) -> None:
    """Every open space, asked for with too much or at the wrong place."""
    for name, offer in game.legal(position).spaces.items():
        space = position.board.space(name)
        wrong = Deploy(name, place=tuple((area, "troop", 9) for area in offer.areas[:1]), target="z9")
        title = space_title(space)
        for advice in told(position, wrong):
            assert not (advice.startswith(("Red can:", "Black can:")) and title in advice), advice
