"""The referee: one JSON request a line in, one JSON answer a line out.

It keeps answering after an error and ends at the end of its input.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TextIO

from engine.advice import infer_answer, odds_answer
from engine.errors import BadRequest, BadStep, EngineError, Illegal
from engine.orders import game
from engine.orders.draft import told
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Step
from engine.orders.supply import cut, supply
from engine.orders.wire import new_from_json, position_from_json, position_to_json, step_from_json
from engine.ruling import EDITIONS, Citation, Finding, cited_from

Json = dict[str, Any]
_NOT_A_STEP = Finding("step.form", False, Citation("How to Play"), "")


def serve(lines: TextIO, answers: TextIO) -> None:
    """Answer every line until the input ends."""
    for line in lines:
        if line.strip():
            answers.write(answer(line) + "\n")
            answers.flush()


def answer(line: str) -> str:
    """The answer to one request line, as one line."""
    return json.dumps(reply(line), separators=(",", ":"))


def reply(line: str) -> Json:
    """The answer to one request line, as an object.

    A request's `id` is given back; `edition` says which edition of the rulebook is cited.
    """
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return _bad_request("the request is no JSON")
    if not isinstance(request, dict):
        return _bad_request("a request is an object")
    ident = {"id": request["id"]} if "id" in request else {}
    do = request.get("do")
    handler = _REQUESTS.get(do) if isinstance(do, str) else None
    if handler is None:
        return ident | _bad_request(f"do: one of {', '.join(_REQUESTS)}")
    edition = request.get("edition", EDITIONS[0])
    if edition not in EDITIONS:
        return ident | _bad_request(f"edition: one of {', '.join(EDITIONS)}")
    try:
        with cited_from(edition):
            return ident | handler(request)
    except EngineError as fault:
        return ident | _bad_request(str(fault))


def _bad_request(message: str) -> Json:
    return {"error": {"kind": "bad_request", "message": message}}


def _position(request: Json) -> Position:
    return position_from_json(request.get("position"))


def _new(request: Json) -> Json:
    return {"position": position_to_json(new_from_json(request))}


def _legal(request: Json) -> Json:
    legal = game.legal(_position(request))
    return {"pass": legal.may_pass, "spaces": {space: _offer(offer) for space, offer in legal.spaces.items()}}


def _offer(offer: game.Offer) -> Json:
    if offer.verb == "move":
        return {"sources": offer.sources}
    if offer.verb == "shoot":
        spent = {"payload": offer.payload} if offer.payload else {}
        return {"targets": list(offer.targets), "dice": offer.dice, **spent}
    if offer.verb == "drop":
        return {"targets": list(offer.targets), "amount": offer.amount}
    if offer.verb == "place":
        return {"areas": list(offer.areas), "amount": offer.amount}
    return {"draw": offer.draw}


def _steps(request: Json) -> list[object]:
    steps = request.get("steps")
    if not isinstance(steps, list):
        raise BadRequest("steps: a list of steps")
    return steps


def _apply(request: Json) -> Json:
    position = _position(request)
    events = []
    for number, obj in enumerate(_steps(request)):
        try:
            step = step_from_json(obj)
        except BadStep as fault:
            return _refused(number, _malformed(fault))
        ruling = game.judge(position, step)
        if not ruling.legal:
            return _refused(number, ruling.objections[0], ruling.objections)
        position, happened = game.play(position, step)
        events += [told(position, event) for event in happened]
    return {"position": position_to_json(position), "pending": _pending(position), "events": events}


def _malformed(fault: BadStep) -> Finding:
    return Finding(_NOT_A_STEP.rule, False, _NOT_A_STEP.citation, str(fault))


def _refused(step: int, first: Finding, objections: tuple[Finding, ...] = ()) -> Json:
    error: Json = {"step": step, "rule": first.rule, "cite": str(first.citation), "message": first.message}
    if len(objections) > 1:
        error["also"] = [_finding(finding) for finding in objections[1:]]
    return {"error": error}


def _finding(finding: Finding) -> Json:
    out = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    named = {"reading": finding.reading, "differs": finding.differs}
    return out | {key: said for key, said in named.items() if said}


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


def _check(request: Json) -> Json:
    position = _position(request)
    findings: list[Finding] = []
    for obj in _steps(request):
        step: Step | None = None
        try:
            step = step_from_json(obj)
            ruling = game.examine(position, step)
            findings += ruling.findings
        except BadStep as fault:
            findings.append(_malformed(fault))
        if step is None or not ruling.legal:
            break
        position = game.apply(position, step)
    return {"legal": all(f.holds for f in findings), "rulings": [_finding(finding) for finding in findings]}


def _odds(request: Json) -> Json:
    try:
        return odds_answer(request)
    except BadStep as fault:
        return _refused(0, _malformed(fault))
    except Illegal as fault:
        return _refused(0, fault.ruling.objections[0], fault.ruling.objections)


_REQUESTS: dict[str, Callable[[Json], Json]] = {
    "new": _new,
    "legal": _legal,
    "apply": _apply,
    "supply": _supply,
    "score": _score,
    "check": _check,
    "odds": _odds,
    "infer": infer_answer,
}
