"""Rulings as the referee answers them."""

from __future__ import annotations

from engine.errors import BadStep
from engine.parts import Json
from engine.ruling import Citation, Finding

PLAY = "How to Play"


def malformed(fault: BadStep, section: str = PLAY) -> Finding:
    """The finding on a step that is badly written; section: where its book says what there is to be done."""
    return Finding("step.form", False, Citation(section), str(fault))


def refused(step: int, first: Finding, objections: tuple[Finding, ...] = ()) -> Json:
    """The answer to a step that the rules refuse, by its number: the first objection, and all others."""
    error: Json = {"step": step, "rule": first.rule, "cite": str(first.citation), "message": first.message}
    if len(objections) > 1:
        error["also"] = [found(finding) for finding in objections[1:]]
    return {"error": error}


def found(finding: Finding) -> Json:
    """A finding as the protocol has it."""
    out = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    named = {"reading": finding.reading, "differs": finding.differs}
    return out | {key: said for key, said in named.items() if said}
