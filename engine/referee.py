"""The referee: one JSON request a line in, one JSON answer a line out.

It keeps answering after an error and ends at the end of its input. `system` says which rules a request is about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TextIO

from engine.codec import Json, read_object
from engine.errors import BadRequest, BadStep, EngineError
from engine.ruling import EDITIONS, Finding, citing
from engine.system import System, finding_to_json, form_finding, refusal
from engine.systems import DEFAULT, system_named
from intake.errors import Unreadable
from intake.json_text import parse_json

MOST_BYTES = 4_000_000
"""The most bytes of a line."""
MOST_STEPS = 2000
"""The most steps in a request; a whole game has a few hundred."""


def serve(lines: BinaryIO, answers: TextIO) -> None:
    """Answer every request line, one line each, until the input ends."""
    for line in _lines(lines):
        if line.strip():
            answers.write(answer(line) + "\n")
            answers.flush()


def _lines(lines: BinaryIO) -> Iterator[bytes]:
    """Yield each line, in UTF-8; of a line too long to be read, yield just enough to show that."""
    while line := lines.readline(MOST_BYTES + 1):
        yield line
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = lines.readline(MOST_BYTES + 1)


def answer(line: str | bytes) -> str:
    """Return the answer to one request line, as a line of JSON."""
    return json.dumps(reply(line), separators=(",", ":"))


def reply(line: str | bytes) -> Json:
    """Return the answer to one request line, as an object.

    A request's `id` is given back; `system` names the rules, `edition` the edition of the rulebook to cite; `texts`
    brings along owners' files, as a position can.
    """
    try:
        request = parse_json(line, MOST_BYTES)
    except Unreadable as fault:
        return _bad_request(f"the request: {fault}")
    if not isinstance(request, dict):
        return _bad_request("a request is an object")
    ident = {"id": request["id"]} if "id" in request else {}
    try:
        system = _system(request)
        handler = _handler(system, request.get("do"))
        with citing(_edition(request)):
            return ident | handler(_with_texts(request) if system.brings else request)
    except EngineError as fault:
        return ident | _bad_request(str(fault))


def _system(request: Json) -> System[Any, Any]:
    """Return the system that a request is about: the one it names, or else its position's."""
    position = request.get("position")
    named = position.get("system") if isinstance(position, dict) else None
    return system_named(request.get("system", named if isinstance(named, str) else DEFAULT))


def _handler(system: System[Any, Any], do: object) -> Callable[[Json], Json]:
    common: dict[str, Callable[[System[Any, Any], Json], Json]] = {
        "new": lambda system, request: {"position": system.write_position(system.new(request))},
        "apply": _apply,
        "check": _check,
    }
    known = [*common, *system.requests]
    if not isinstance(do, str) or do not in known:
        raise BadRequest(f"do: expected one of {', '.join(known)}")
    return system.requests[do] if do in system.requests else lambda request: common[do](system, request)


def _with_texts(request: Json) -> Json:
    """Return the request with the files that it brings along copied into its position.

    Files that the position brings itself take precedence.
    """
    position, texts = request.get("position"), request.get("texts")
    if not isinstance(position, dict) or texts is None:
        return request
    own = read_object(position.get("texts", {}), "position.texts", BadRequest)
    return {**request, "position": {**position, "texts": {**read_object(texts, "texts", BadRequest), **own}}}


def _edition(request: Json) -> str:
    edition = request.get("edition", EDITIONS[0])
    if edition not in EDITIONS:
        raise BadRequest(f"edition: expected one of {', '.join(EDITIONS)}")
    return str(edition)


def _bad_request(message: str) -> Json:
    return {"error": {"kind": "bad_request", "message": message}}


def _steps(request: Json) -> list[object]:
    steps = request.get("steps")
    if not isinstance(steps, list):
        raise BadRequest("steps: expected a list of steps")
    if len(steps) > MOST_STEPS:
        raise BadRequest(f"steps: at most {MOST_STEPS} in a request, not {len(steps)}")
    return steps


def _apply(system: System[Any, Any], request: Json) -> Json:
    position = system.read_position(request.get("position"))
    events: list[Any] = []
    for number, obj in enumerate(_steps(request)):
        try:
            step = system.read_step(obj)
        except BadStep as fault:
            return refusal(number, form_finding(fault))
        ruling = system.judge(position, step)
        if not ruling.legal:
            objections = system.examine(position, step).objections  # with the readings that they rest on
            return refusal(number, objections[0], objections)
        position, happened = system.play(position, step)
        events += [system.event(position, event) for event in happened]
    return {"position": system.write_position(position), "pending": system.pending(position), "events": events}


def _check(system: System[Any, Any], request: Json) -> Json:
    position = system.read_position(request.get("position"))
    findings: list[Finding] = []
    for obj in _steps(request):
        try:
            step = system.read_step(obj)
        except BadStep as fault:
            findings.append(form_finding(fault))
            break
        ruling = system.examine(position, step)
        findings += ruling.findings
        if not ruling.legal:
            break
        position, _happened = system.play(position, step)
    return {
        "legal": all(finding.holds for finding in findings),
        "rulings": [finding_to_json(finding) for finding in findings],
    }
