"""Compiled catalogues of texts (GNU gettext's .mo) within limits: what is in one is not trusted to be sound."""

from __future__ import annotations

import gettext
import io
import struct

from intake.errors import Unreadable

MOST_BYTES = 4_000_000
NUMBERS = range(200)
"""Each of them has to have a form: one that can't be worked out would be found out far from here."""


def parse_mo(data: bytes) -> gettext.NullTranslations:
    """The catalogue; Unreadable where it is none, or its rule for plurals is none."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(data))
        for n in NUMBERS:
            catalogue.ngettext("one", "many", n)
    except (OSError, ValueError, LookupError, ArithmeticError, AttributeError, struct.error) as error:
        raise Unreadable(f"not a text catalogue, or damaged ({error})") from error
    return catalogue
