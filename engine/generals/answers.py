"""What the referee answers of Generals Order besides what every system has: numbers with their reasons."""

from __future__ import annotations

from engine.codec import Json, read_table, read_text
from engine.errors import BadRequest
from engine.generals import game
from engine.generals.cards import Card
from engine.generals.changes import changes
from engine.generals.position import SIDES, Position
from engine.generals.steps import Step
from engine.generals.tally import PASSAGE, UPKEEP, cost_of, passage_of, points_of, upkeep_of
from engine.generals.wire import (
    decks_from_json,
    new_from_json,
    position_from_json,
    position_to_json,
    step_from_json,
    step_to_json,
)
from engine.system import System
from engine.tally import Tally


def _legal(request: Json) -> Json:
    found = game.legal(position_from_json(request.get("position")))
    out: Json = {"deploy": dict(found.deploy)}
    for what in ("use", "activate", "specials"):
        out[what] = list(getattr(found, what))
    for what in ("equip", "move", "attack"):
        out[what] = {name: list(to) for name, to in getattr(found, what).items()}
    return out


def _pending(position: Position) -> Json | None:
    owed = game.owed(position)
    if owed is None:
        return None
    return {"wants": owed.wants, "by": SIDES[owed.by], "cards": list(owed.cards), "message": owed.text}


def _general(request: Json) -> Json:
    """Answer with a general's points and their reasons.

    For the side to move, the answer also says who bars the general's way and who blocks them.
    """
    position = position_from_json(request.get("position"))
    side = read_text(request.get("side"), "side", BadRequest)
    label = read_text(request.get("general"), "general", BadRequest)
    index = SIDES.index(side) if side in SIDES else position.to_move
    fighter = position.sides[index].fighter(label)
    if fighter is None or side not in SIDES:
        raise BadRequest(f"general: {label!r} of {side!r} is not on the battlefield")
    out: Json = {form: _tally(points_of(position, index, fighter, form)) for form in ("military", "intelligence")}
    if index == position.to_move:
        way = passage_of(position, fighter)
        passage = {"enemies": list(way.enemies), "blockers": list(way.blockers), "missing": way.missing}
        out["passage"] = passage | {"cite": str(PASSAGE)}
    return out


def _tally(tally: Tally) -> Json:
    parts = [{"n": part.n, "why": part.why, "cite": str(part.citation)} for part in tally.parts]
    return {"total": tally.total, "parts": parts}


def _cost(request: Json) -> Json:
    """Answer with what a card costs a side now, and the reasons (Game Play 7)."""
    position = position_from_json(request.get("position"))
    side = read_text(request.get("side"), "side", BadRequest)
    name = read_text(request.get("card"), "card", BadRequest)
    index = SIDES.index(side) if side in SIDES else position.to_move
    card = position.sides[index].deck.cards.get(name)
    if card is None or side not in SIDES:
        raise BadRequest(f"card: {name!r} is no card of {side!r}")
    return _tally(cost_of(position, index, card))


def _outlook(request: Json) -> Json:
    """Answer with what the end of its turn would take from each side now."""
    position = position_from_json(request.get("position"))
    ends = {who: upkeep_of(position, index) for index, who in enumerate(SIDES)}
    return {
        "cite": str(UPKEEP),
        **{who: {"upkeep": end.generals, "lost": end.lost, "discard": end.over} for who, end in ends.items()},
    }


def _cut(request: Json) -> Json:
    """Answer with who decides which side moves first, by the cards that both have cut (Game Play 3)."""
    decks = decks_from_json(request)
    names = read_table(request.get("cut", {}), "cut", BadRequest)
    cut: dict[str, Card] = {}
    for who, name in names.items():
        card = decks[who].cards.get(read_text(name, f"cut.{who}", BadRequest)) if who in decks else None
        if card is None:
            raise BadRequest(f"cut.{who}: no card of the deck")
        cut[who] = card
    return {"decides": game.cut_winner(cut), "costs": {who: card.cost for who, card in cut.items()}}


def _play(position: Position, step: Step) -> tuple[Position, tuple[str, ...]]:
    after = game.apply(position, step)
    return after, changes(position, after)


def _play_recorded(position: Position, step: Step) -> tuple[Position, tuple[str, ...]]:
    after = game.apply_recorded(position, step)
    return after, changes(position, after)


GENERALS = System(
    name="generals",
    new=new_from_json,
    read_position=position_from_json,
    write_position=position_to_json,
    read_step=step_from_json,
    write_step=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=_play,
    play_recorded=_play_recorded,
    pending=_pending,
    event=lambda position, event: event,
    requests={"legal": _legal, "general": _general, "cost": _cost, "outlook": _outlook, "cut": _cut},
    brings=True,
)
"""The card game."""
