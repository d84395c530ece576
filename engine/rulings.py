"""Rulings as the referee answers them."""

from __future__ import annotations

from engine.codec import Json
from engine.errors import BadStep
from engine.ruling import Citation, Finding


def malformed(fault: BadStep) -> Finding:
    """The finding on a step that is badly written, of which no book says anything."""
    return Finding("step.form", False, Citation(), str(fault))


def refused(step: int, first: Finding, objections: tuple[Finding, ...] = ()) -> Json:
    """The answer to a step that the rules refuse, by its number: the first objection, and all others."""
    error: Json = {"step": step, "rule": first.rule, "cite": str(first.citation), "message": first.message}
    if len(objections) > 1:
        error["also"] = [found(finding) for finding in objections[1:]]
    return {"error": error}


def found(finding: Finding) -> Json:
    """A finding as the protocol has it."""
    out = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    readings = list(finding.readings) if finding.also else []
    named = {"reading": finding.reading, "readings": readings, "differs": finding.differs}
    return out | {key: said for key, said in named.items() if said}
