"""What the referee answers of General Orders besides what every system has: legal, supply, score, odds, infer."""

from __future__ import annotations

from fractions import Fraction

from engine.codec import Json
from engine.errors import BadRequest, BadStep, Illegal
from engine.orders import game
from engine.orders.board import board_names, load_board
from engine.orders.draft import event_text
from engine.orders.inference.infer import MOST, infer
from engine.orders.inference.misfits import Misfit
from engine.orders.inference.repair import Pieces
from engine.orders.odds import AreaOdds, ConflictOdds, ShotOdds, conflict_odds, owed_odds, shot_odds, step_odds
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.supply import cut_off_areas, supply
from engine.orders.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from engine.system import System, form_finding, refusal


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
        "cut": {faction: list(areas) for faction, areas in cut_off_areas(position).items()},
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
        return refusal(0, form_finding(fault))
    except Illegal as fault:
        return refusal(0, fault.ruling.objections[0], fault.ruling.objections)


# --- odds -------------------------------------------------------------------------------

NOTE = "before rerolls and cards still in hand, which nobody has to play; units over a limit go home later"
_MOST_DICE = 40
_MOST_UNITS = 99


def odds_answer(request: Json) -> Json:
    """Answer an `odds` request: for a step, for what is owed, or for bare numbers.

    Raises BadRequest, BadPosition, BadStep, UnknownBoard, Illegal.
    """
    if "position" not in request:
        return {"rolls": [_bare(request)], "note": NOTE}
    position = position_from_json(request["position"])
    found = step_odds(position, step_from_json(request["step"])) if "step" in request else owed_odds(position)
    return {"rolls": [_area_json(position, roll) for roll in found], "note": NOTE}


def _bare(request: Json) -> Json:
    name = request.get("board", board_names()[0])  # all have the same dice, so far
    if not isinstance(name, str):
        raise BadRequest("board: a name")
    die, dice = load_board(name).mode.die, _number(request, "dice", _MOST_DICE)
    if "targets" in request:
        return _shot_json(shot_odds(die, dice, _number(request, "targets", _MOST_UNITS)))
    attackers, defenders = (_number(request, key, _MOST_UNITS) for key in ("attackers", "defenders"))
    return _conflict_json(conflict_odds(die, dice, attackers, defenders), ("attacker", "defender"))


def _number(request: Json, key: str, most: int) -> int:
    value = request.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise BadRequest(f"odds: {key} is a number from 1 to {most}, or name a position")
    return value


def _area_json(position: Position, roll: AreaOdds) -> Json:
    if isinstance(roll.odds, ShotOdds):
        odds = _shot_json(roll.odds)
    else:
        foe = roll.by
        me = next(faction for faction in position.board.factions if faction != foe)
        odds = _conflict_json(roll.odds, (me, foe))
    return {"area": roll.area, "by": roll.by, **odds, **({"ends_game": _chance(roll.ends)} if roll.ends else {})}


def _conflict_json(odds: ConflictOdds, sides: tuple[str, str]) -> Json:
    attacker, defender = sides
    outcomes = [{"holds": attacker, "left": n, **_chance(p)} for n, p in sorted(odds.attacker.items(), reverse=True)]
    outcomes += [{"holds": None, "left": 0, **_chance(odds.empty)}] if odds.empty else []
    outcomes += [{"holds": defender, "left": n, **_chance(p)} for n, p in sorted(odds.defender.items())]
    return {
        "roll": "conflict",
        "dice": odds.dice,
        "attackers": odds.attackers,
        "defenders": odds.defenders,
        "outcomes": outcomes,
        "attacker_holds": _chance(odds.attacker_holds),
        "defender_holds": _chance(odds.defender_holds),
        "empty": _chance(odds.empty),
    }


def _shot_json(odds: ShotOdds) -> Json:
    outcomes = [{"lost": n, "left": odds.targets - n, **_chance(p)} for n, p in odds.losses.items()]
    empty = _chance(odds.empties)
    return {"roll": "shot", "dice": odds.dice, "targets": odds.targets, "outcomes": outcomes, "empty": empty}


def _chance(chance: Fraction) -> Json:
    return {"chance": str(chance), "decimal": round(float(chance), 6)}


# --- infer ------------------------------------------------------------------------------


def infer_answer(request: Json) -> Json:
    """Answer an `infer` request; raise BadRequest, BadPosition, UnknownBoard."""
    position = position_from_json(request.get("position"))
    support, most = request.get("support", True), request.get("most", MOST)
    if not isinstance(support, bool):
        raise BadRequest("support: expected true or false, whether the support board was seen")
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise BadRequest("most: a number from 1")
    result = infer(position, request.get("seen"), request.get("commanders"), support=support, most=most)
    answer: Json = {
        "explanations": [
            {
                "steps": [step_to_json(step) for step in explanation.steps],
                "why": explanation.why,
                "likelihood": round(explanation.likelihood, 4),
            }
            for explanation in result.explanations
        ],
        "illegal": [_misfit(misfit) for misfit in result.illegal],
    }
    way = result.repair
    if way is None:
        return answer
    steps = [step_to_json(step) for step in way.steps]
    fixes = [
        {"place": fix.place, "message": fix.message}
        | {key: _pieces(getattr(fix, key)) for key in ("expected", "seen", "put", "take")}
        for fix in way.fixes
    ]
    return answer | {"nearest": {"steps": steps, "why": way.why, "fixes": fixes}}


def _pieces(pieces: Pieces) -> Json:
    out: Json = {}
    for who, unit, n in pieces:
        out.setdefault(who, {})[unit] = n
    return out


def _misfit(misfit: Misfit) -> Json:
    out: Json = {"area": misfit.area, "message": misfit.message}
    return out if misfit.finding is None else out | {"rule": misfit.finding.rule, "cite": str(misfit.finding.citation)}


ORDERS = System(
    name="orders",
    new=new_from_json,
    read_position=position_from_json,
    write_position=position_to_json,
    read_step=step_from_json,
    write_step=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=game.play,
    play_recorded=game.play_recorded,
    pending=_pending,
    event=event_text,
    requests={"legal": _legal, "supply": _supply, "score": _score, "odds": _odds, "infer": infer_answer},
)
"""General Orders, the system of a request that names none."""
