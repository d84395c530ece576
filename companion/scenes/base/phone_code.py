"""A text as a QR code on the screen, as large as there is room."""

from __future__ import annotations

from companion.drawing.qr_code import qr_png
from companion.ui.screen import Photo

CODE_PT = 372
"""As wide as a code may be: half of a screen of 800x480."""


def phone_code(text: str) -> tuple[Photo, ...]:
    """Return the QR code of a text, its modules whole pixels on the smallest screen; nothing if it is too long."""
    made = qr_png(text)
    if made is None:
        return ()
    data, modules = made
    return (Photo(data, (modules, modules), "", CODE_PT // modules * modules),)
