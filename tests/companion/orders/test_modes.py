"""The panels and words that only some modes have, on the practice boards; names are asked of the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.app.app import App
from companion.content.board_choice import board_of, boards, factions
from companion.core.language import use_language
from companion.games.chance import Thrown
from companion.scenes.base.panels import Agree, Offer, Open
from companion.scenes.orders.answers import ReturnPanel, answer_for
from companion.scenes.orders.by_hand import SidePanel
from companion.scenes.orders.card_panels import CardsPanel, TableCardPanel, cards_to_announce, guessed_effect, open_card
from companion.scenes.orders.forecast import ends
from companion.scenes.orders.forms import CardOffer
from companion.scenes.orders.hand_tasks import tasks, tasks_to_undo
from companion.scenes.orders.targeting import DropForm, ShotForm, likely_target, shot_at, standing_there
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel, form_for
from companion.scenes.setup.state import SetUp
from companion.settings.layers import Settings
from companion.text.log import step_and_effects, step_sentence
from companion.text.orders import (
    area_label,
    area_name,
    board_title,
    effects,
    faction_name,
    game_title,
    how_many,
    slot_place,
    space_note,
    unit_name,
    units_of,
    what_stands,
)
from companion.text.people import People
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Play, Return, Roll
from tests.companion.equip import equip
from tests.companion.gallery.rooms.modes import home, way


def start(name: str) -> Position:
    board = load_board(name)
    return game.new_game(name, board.factions[0], dict(zip(board.slots, board.mode.tokens, strict=False)))


ALPINE, ISLAND = start("wwii-alpine"), start("wwii-island")


def stands(position: Position, units: Mapping[str, tuple[tuple[str, str, int], ...]], **besides: object) -> Position:
    """Agreed at the table."""
    step = Agreed(tuple(units.items()), to_move="blue", other=OtherCorrections(**besides))  # type: ignore[arg-type]
    return game.apply(position, step)


def space_of(position: Position, action: str) -> str:
    """Return the first space of an action that may be deployed to."""
    return next(name for name in game.legal(position).spaces if name.startswith(f"{action}:"))


def people(position: Position) -> People:
    return People(position.board.factions, {"blue": "Ana", "yellow": "Bo"})


def text(panel: object) -> str:
    return str(panel.show())  # type: ignore[attr-defined]


# ---- Paradrop --------------------------------------------------------------------------------------


def test_a_paradrop_goes_anywhere_but_where_a_sign_or_the_headquarters_forbids_it() -> None:
    form = form_for(ALPINE, space_of(ALPINE, "paradrop"))
    assert isinstance(form, DropForm)
    board = ALPINE.board
    allowed = {area.name for area in board.areas if area.kind == "land" and not area.no_drop and area.hq != "yellow"}
    assert set(form.targets()) == allowed
    assert form.step() == Deploy(form.space.name, target=form.target)
    assert form.ruling().legal
    forbidden = next(area.name for area in board.areas if area.no_drop)
    assert form.touch(Intent("area", forbidden)) is not None, "the ruling"
    form.touch(Intent("area", home(board, "blue").name))
    assert form.target == home(board, "blue").name
    assert f"{home(board, 'blue').name}" in text(form)
    assert form.touch(Intent("confirm")) == CardOffer(form.step())


def test_a_paradrop_recalls_where_the_reserve_is_short() -> None:
    board = ALPINE.board
    full = [area.name for area in board.areas if area.kind == "land" and area.hq != "yellow"]
    mine = [home(board, "blue").name, *[name for name in full if name in home(board, "blue").adjacent]]
    others = [name for name in full if name not in mine]
    force = dict.fromkeys([*mine, *others][:5], (("blue", "troop", 5),))
    short = stands(ALPINE, force)
    assert short.reserve(0, 0) == 0
    form = form_for(short, space_of(short, "paradrop"))
    assert isinstance(form, DropForm)
    source = next(iter(form.recallable()))
    for _ in range(9):
        form.touch(Intent("back", "/".join(source), 1))
    assert form.step().recall == ((*source, form.amount()),), "no more than is lacking"
    assert "Not enough in reserve" in text(form)
    assert form.units_landing() == form.amount()


# ---- shots -----------------------------------------------------------------------------------------


def bombing(aircraft: int = 3, troops: int = 2) -> tuple[Position, str, str]:
    base = home(ISLAND.board, "blue")
    assert base.zone is not None
    land = next(area.name for area in ISLAND.board.areas if area.zone == base.zone and area is not base)
    here = {base.zone: (("blue", "aircraft", aircraft),), land: (("yellow", "troop", troops),)}
    return stands(ISLAND, here), base.zone, land


def test_a_bomb_spends_as_many_aircraft_as_there_is_to_hit() -> None:
    position, zone, land = bombing()
    form = form_for(position, f"bomb:{zone}")
    assert isinstance(form, ShotForm)
    assert form.targets() == (land,)
    assert form.step() == Deploy(f"bomb:{zone}", target=land, payload=2)
    form.touch(Intent("spend", "aircraft", 1))
    assert form.spent == form.most() == 2, "the last one stays"
    form.touch(Intent("spend", "aircraft", -1))
    form.touch(Intent("spend", "aircraft", -1))
    assert form.step().payload == 1
    assert form.show().marks.changes == {(zone, "aircraft"): -1}
    step = form.step()
    assert step_sentence(step, position, people(position)) == (
        f"Ana bombed {land} from the {area_name(zone)}, spending 1 aircraft."
    )
    rolled = game.apply(position, step)
    owed = game.owed(rolled)
    assert owed is not None
    assert "1: one per aircraft spent" in text(answer_for(rolled, owed))


def test_what_a_space_with_a_target_is_meant_for() -> None:
    position, zone, land = bombing()
    board = position.board
    bomb = board.space(f"bomb:{zone}")
    assert likely_target(position, bomb) == land
    assert shot_at(bomb, land) == Deploy(bomb.name, target=land, payload=1)
    barrage = next(space for space in board.spaces if space.action.range > 1)
    assert likely_target(position, barrage) is not None
    far = next(space for space in board.spaces if space.action.name == "bomb" and space.area != zone)
    assert likely_target(position, far) in {area.name for area in board.areas if area.zone == far.area}


# ---- the idle turn ---------------------------------------------------------------------------------


def test_a_final_pass_or_a_lack_of_commanders_is_told_and_the_other_side_goes_on_alone() -> None:
    panel = TurnPanel(Spaces(ALPINE), [])
    assert panel.show().actions[-1].note == "for this round"
    after = game.apply(ALPINE, Pass())
    assert step_and_effects(Pass(), ALPINE, people(ALPINE)) == "Ana passed for the rest of the round."
    left = after.left("yellow")
    assert f"Blue has passed. You have {left} commanders left." in text(TurnPanel(Spaces(after), []))
    assert effects(Pass(), ALPINE) == []
    position = stands(ALPINE, {}, left=(("yellow", 0),))
    told_so = step_and_effects(Deploy("plan:1", draw=1), position, people(position))
    assert "Bo had no commanders left and passed." in told_so


def test_an_area_tells_of_its_zone_its_signs_and_its_printed_bonus() -> None:
    position, zone, land = bombing()
    assert f"Under the {area_name(zone)}: 1 more die in defence for Blue" in text(AreaPanel(Spaces(position), land))
    below = [area.name for area in position.board.areas if area.zone == zone]
    assert f"Over {below[0]}" in text(AreaPanel(Spaces(position), zone))
    far = next(area for area in ISLAND.board.areas if area.zone and ISLAND.controller(area.zone) is None)
    assert f"Under the {area_name(far.zone or '')}'" in text(AreaPanel(Spaces(ISLAND), far.name))
    town = next(area for area in ALPINE.board.areas if area.printed)
    assert "Town Centre" in text(AreaPanel(Spaces(ALPINE), town.name))
    sign = next(area for area in ALPINE.board.areas if area.no_drop)
    assert "No paradrops here" in text(AreaPanel(Spaces(ALPINE), sign.name))
    space = next(space for space in ALPINE.board.spaces if space.faction == "yellow")
    assert Spaces(ALPINE).button(space).note == space_note(space, ALPINE.board, "blue") == "only for Yellow"
    fortress = start("sengoku-fortress")
    mixed = next(area for area in fortress.board.areas if len(area.start) > 1)
    own = mixed.start[0][0]
    foe = next(faction for faction in fortress.board.factions if faction != own)
    assert standing_there(fortress, foe, mixed.name) == f"{sum(n for _who, _unit, n in mixed.start)} units there"
    assert standing_there(fortress, own, mixed.name) == "no enemy there"
    fort = next(area for area in fortress.board.areas if area.fort)
    assert "Fortified: 2 dice in defence" in text(AreaPanel(Spaces(fortress), fort.name))


# ---- cards -----------------------------------------------------------------------------------------


def test_a_card_of_unknown_text_is_announced_and_its_likely_text_told_as_a_guess() -> None:
    position = stands(ALPINE, {}, hands=(("blue", 1),))
    table = [name for name, card in ALPINE.board.mode.cards.items() if card.verb == "table"]
    assert [card for _who, card in cards_to_announce(position)] == table
    panel = CardsPanel(position, cards_to_announce(position))
    opened = panel.touch(Intent("play", f"blue/{table[0]}"))
    assert isinstance(opened, Open)
    assert isinstance(opened.panel, TableCardPanel)
    card = position.board.mode.cards[table[0]]
    (guess,) = guessed_effect(card)
    assert guess.startswith("Probably: ")
    assert guess.endswith("your card decides.)")
    assert guess in text(opened.panel)
    step = Play(table[0], "blue")
    assert opened.panel.touch(Intent("announce")) == Offer(step)
    assert opened.panel.touch(Intent("area", "a1")) is None
    assert guessed_effect(replace(card, likely="")) == ()
    after = game.apply(position, step)
    first = tasks(position, after, step)[0].text
    assert first == f"Do what {card.title} says, then enter what changed"
    assert isinstance(open_card(position, f"blue/{table[0]}"), Open)


def test_a_commander_deployed_from_standby_is_fetched_from_there() -> None:
    position = stands(ALPINE, {}, hands=(("blue", 1),))
    form = form_for(position, space_of(position, "advance"))
    assert "blitz" in form.asked_cards()
    form.touch(Intent("card", "blitz"))
    step = form.step()
    assert form.ruling().legal
    after = game.apply(position, step)
    texts = [task.text for task in tasks(position, after, step)]
    assert any(line.startswith("Commander from standby to Advance") for line in texts)
    assert not any("to standby" in line for line in texts)
    back = [task.text for task in tasks_to_undo(position, after, step)]
    assert "Blue: put the commander back on standby" in back


# ---- a commander goes back -------------------------------------------------------------------------


def losing() -> tuple[Position, str]:
    """Blue is about to take the Signal Unit from yellow, which has no commander in the reserve."""
    board = ALPINE.board
    slot, lost = next((area.slot, area.name) for area in board.areas if area.slot)
    theirs = way(board, home(board, "yellow").name, lost)
    near = next(name for name in board.area(lost).adjacent if name not in theirs)
    ours = way(board, home(board, "blue").name, near, theirs)
    force = dict.fromkeys(theirs, (("yellow", "troop", 1),))
    force |= dict.fromkeys(ours, (("blue", "troop", 2),)) | {near: (("blue", "troop", 5),)}
    spaces = ((f"advance:{theirs[0]}", ("yellow",)), ("plan:2", ("yellow",)))
    besides = OtherCorrections(bonuses=((slot or "", "signal_unit"),), left=(("yellow", 0),))
    position = game.apply(ALPINE, Agreed(tuple(force.items()), spaces, to_move="blue", other=besides))
    return game.apply(position, Deploy(f"advance:{lost}", moves=((near, "troop", 4),))), f"advance:{theirs[0]}"


def test_the_owner_says_which_commander_goes_back() -> None:
    fought, held = losing()
    position = game.apply(fought, Roll((0,), "yellow"))
    owed = game.owed(position)
    assert owed is not None
    assert owed.wants == "return"
    panel = answer_for(position, owed)
    assert isinstance(panel, ReturnPanel)
    assert "Signal Unit is lost" in text(panel)
    step = Return(held, "yellow")
    assert panel.touch(Intent("return", held)) == Offer(step)
    assert panel.touch(Intent("area", held.partition(":")[2])) == Offer(step)
    assert panel.touch(Intent("area", "nowhere")) is None
    after = game.apply(position, step)
    assert "Yellow: put the commander on" in tasks(position, after, step)[0].text
    assert "put the commander on" in step_sentence(step, position, people(position))
    assert ends(fought, Roll((0,), "yellow"))


def test_who_has_passed_is_set_by_hand() -> None:
    panel = SidePanel(ALPINE, "yellow")
    assert panel.step() is None
    panel.touch(Intent("passed"))
    step = panel.step()
    assert step is not None
    assert step.other.passed == ("yellow",)
    assert isinstance(panel.touch(Intent("record")), Agree)
    assert "Bo has passed for the round" in step_sentence(step, ALPINE, people(ALPINE))
    panel.touch(Intent("passed"))
    assert panel.step() is None


# ---- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sengoku-fortress", "wwii-alpine", "wwii-island"])
def test_everything_has_a_name(name: str) -> None:
    board = load_board(name)
    position = start(name)
    for faction in board.factions:
        assert faction_name(faction) != faction
        for kind in board.mode.units:
            assert unit_name(faction, kind.name).startswith(faction_name(faction))
            assert how_many(faction, kind.name, "c4") == f"How many {units_of(faction, kind.name)} are in c4?"
    for space in board.spaces:
        assert "_" not in Spaces(position).button(space).label
    assert game_title(board) == f"{board.mode.title} (practice board)"
    assert all(text(AreaPanel(Spaces(position), area.name)) for area in board.areas)


def test_zones_have_names_and_questions_for_an_area_agree_in_every_language() -> None:
    assert (area_name("zone-green"), area_label("zone-green"), area_name("c4")) == ("green zone", "Green zone", "c4")
    assert area_name("zone-mauve") == "zone mauve"
    assert how_many("blue", "aircraft", "zone-green") == "How many blue aircraft are in the green zone?"
    assert (what_stands("c4"), what_stands("zone-green")) == ("What's in c4?", "What's in the green zone?")
    assert how_many("green", "siege", "c4") == "How many siege weapons (Green) are in c4?"
    assert (slot_place("2", "a3"), slot_place("sun", "c5")) == ("Token for a3", "Token for c5 (Sun)")
    own = replace_name(load_board("wwii-alpine"), "wwii-alpine-ana")
    assert board_title(own) == "World War II: Alpine · ana"
    use_language("pt_BR")
    assert how_many("red", "siege", "c4") == "Qual é o número de armas de cerco vermelhas em c4?"
    assert how_many("black", "ship", "c4") == "Qual é o número de navios pretos em c4?"
    assert how_many("yellow", "aircraft", "zone-green") == "Qual é o número de aeronaves amarelas na zona verde?"
    assert what_stands("zone-green") == "O que há na zona verde?"
    assert unit_name("red", "ship") == "Navios vermelhos"


def replace_name(board: Board, name: str) -> Board:
    """Return an owner's copy of the board, under this name."""
    fields = ("known", "mode", "size_mm", "space_side_mm", "slots", "areas", "spaces")
    return Board(name=name, **{field: getattr(board, field) for field in fields})


def test_the_boards_begin_with_the_usual_one_and_an_unknown_name_falls_back_to_it() -> None:
    assert next(board.name for board in boards()) == Settings().board
    assert {"red", "black", "blue", "yellow"} <= set(factions())
    assert board_of(Settings(board="no-such")).name == Settings().board
    assert board_of(Settings(board="wwii-island")).name == "wwii-island"


def test_the_token_that_is_always_in_comes_four_times_in_five() -> None:
    app = App()
    app.stage.change(board="sengoku-fortress")
    mode = load_board("sengoku-fortress").mode
    armoury = 0
    for seed in range(400):
        equip(app.stage, chance=Thrown(seed))
        setup = SetUp(app.stage)
        setup.draw_tokens()
        laid = set(setup.tokens.values())
        assert len(laid) == len(setup.board.slots)
        assert laid <= set(mode.tokens)
        armoury += "armoury" in laid
    assert 290 <= armoury <= 350
    assert set(mode.tokens) - set(mode.one_stays_out) == {"armoury"}
