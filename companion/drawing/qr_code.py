"""A text as a QR code, small enough for a phone to read it from a small screen."""

from __future__ import annotations

import io

import segno

MOST_VERSION = 24
"""113 modules a side: with the border three pixels each on half the width of 800x480, 0.6 mm on 7 inches."""
MOST_BYTES = 1171
"""What a code of that version holds, corrected as little as may be."""
BORDER = 4
"""Modules of quiet zone around the code (ISO/IEC 18004)."""
SCALE_PX = 4


def qr_png(text: str) -> tuple[bytes, int] | None:
    """Return a text's QR code as a PNG, and its width in modules, border included; None if the text is too long."""
    try:
        code = segno.make(text.encode(errors="replace").decode(), error="l", micro=False)
    except segno.DataOverflowError:
        return None
    if not isinstance(code.version, int) or code.version > MOST_VERSION:
        return None
    data = io.BytesIO()
    code.save(data, kind="png", scale=SCALE_PX, border=BORDER)
    return data.getvalue(), round(code.symbol_size(border=BORDER)[0])
