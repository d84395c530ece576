"""What the referee answers of General Orders besides what every system has: legal, supply, score, odds, infer."""

from __future__ import annotations

from engine.codec import Json
from engine.errors import BadStep, Illegal
from engine.orders import game
from engine.orders.advice import infer_answer, odds_answer
from engine.orders.draft import told
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.supply import cut, supply
from engine.orders.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from engine.rulings import malformed, refused
from engine.system import System


def _position(request: Json) -> Position:
    return position_from_json(request.get("position"))


def _legal(request: Json) -> Json:
    legal = game.legal(_position(request))
    return {"pass": legal.may_pass, "spaces": {space: _offer(offer) for space, offer in legal.spaces.items()}}


def _offer(offer: game.Offer) -> Json:
    if offer.verb == "move":
        return {"sources": offer.sources}
    if offer.verb == "shoot":
        numbers = {"dice": offer.dice, "payload": offer.payload}  # without dice of its own, a payload brings them all
        return {"targets": list(offer.targets), **{key: n for key, n in numbers.items() if n}}
    if offer.verb == "drop":
        return {"targets": list(offer.targets), "amount": offer.amount}
    if offer.verb == "place":
        most = {"most": dict(offer.most)} if offer.most else {}
        return {"areas": list(offer.areas), "amount": offer.amount, **most}
    return {"draw": offer.draw}


def _pending(position: Position) -> Json | None:
    owed = game.owed(position)
    if owed is None:
        return None
    out: Json = {"wants": owed.wants, "by": owed.by, "message": owed.text}
    numbers = {"area": owed.area, "dice": owed.dice, "units": owed.units}
    out |= {key: value for key, value in numbers.items() if value}
    if owed.cards:
        out["cards"] = [{"by": faction, "card": card} for faction, card in owed.cards]
    out |= {"spaces": list(owed.spaces)} if owed.spaces else {}
    out |= {"loose": True} if owed.loose else {}
    return out | ({"reroll": True} if owed.may_reroll else {})


def _supply(request: Json) -> Json:
    position = _position(request)
    return {
        "supply": {faction: list(areas) for faction, areas in supply(position).items()},
        "cut": {faction: list(areas) for faction, areas in cut(position).items()},
    }


def _score(request: Json) -> Json:
    result = score(_position(request))
    out: Json = {"vp": result.vp, "areas": result.areas, "winner": result.winner, "reason": result.reason}
    out["why"] = list(result.why)
    if result.headquarters_winner is not None:
        out["empty_headquarters"] = list(result.empty_headquarters)
        out["headquarters_winner"] = result.headquarters_winner
    return out


def _odds(request: Json) -> Json:
    try:
        return odds_answer(request)
    except BadStep as fault:
        return refused(0, malformed(fault))
    except Illegal as fault:
        return refused(0, fault.ruling.objections[0], fault.ruling.objections)


ORDERS = System(
    name="orders",
    new=new_from_json,
    position=position_from_json,
    written=position_to_json,
    step=step_from_json,
    step_written=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=game.play,
    pending=_pending,
    event=told,
    requests={"legal": _legal, "supply": _supply, "score": _score, "odds": _odds, "infer": infer_answer},
)
"""General Orders, the system of a request that names none."""
