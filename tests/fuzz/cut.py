"""An input that breaks a promise, cut down to less that breaks it in the same way: a few rounds, no more."""

from __future__ import annotations

from tests.fuzz.runner import TIME, Finding, tried

PARTS = 8
MOST_ROUNDS = 12
MOST_TRIED = 24


def cut_down(target: str, finding: Finding) -> Finding:
    """Return the finding with the shortest input found; unchanged if the finding can't be reproduced."""
    best = _same(target, finding, [finding.data or b""]) if finding.how != TIME else None
    if best is None:
        return finding
    parts = PARTS
    for _round in range(MOST_ROUNDS):
        data = best.data or b""
        shorter = _same(target, finding, _without(data, parts))
        if shorter is not None:
            best = shorter
        elif parts >= len(data):
            break
        else:
            parts *= 4
    return best


def _without(data: bytes, parts: int) -> list[bytes]:
    """Return the data without each of its parts, and each half by itself."""
    size = max(1, len(data) // parts)
    begins = range(0, len(data), size)
    chosen = begins if len(begins) <= MOST_TRIED else [begins[n * len(begins) // MOST_TRIED] for n in range(MOST_TRIED)]
    return [data[: len(data) // 2], data[len(data) // 2 :], *(data[:at] + data[at + size :] for at in chosen)]


def _same(target: str, finding: Finding, inputs: list[bytes]) -> Finding | None:
    """Return the finding of the shortest input that breaks the same promise in the same place, or None."""
    found = [other for other in tried(target, inputs).findings if other.key == finding.key and other.data is not None]
    return min(found, key=lambda other: len(other.data or b""), default=None)
