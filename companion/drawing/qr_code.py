"""A text as a QR code, small enough for a phone to read it from a small screen."""

from __future__ import annotations

import io

import segno

MOST_VERSION = 25
"""117 modules a side: 0.5 mm each on a screen of 7 inches."""
BORDER = 4
"""Modules of quiet zone around the code (ISO/IEC 18004)."""
SCALE_PX = 4


def qr_png(text: str) -> tuple[bytes, int] | None:
    """A PNG of the code and how many pixels it has a side; None for a text too long to be read from a small screen."""
    try:
        code = segno.make(text, error="l", micro=False)
    except segno.DataOverflowError:
        return None
    if not isinstance(code.version, int) or code.version > MOST_VERSION:
        return None
    data = io.BytesIO()
    code.save(data, kind="png", scale=SCALE_PX, border=BORDER)
    return data.getvalue(), round(code.symbol_size(scale=SCALE_PX, border=BORDER)[0])
