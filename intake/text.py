"""Bytes as text, and a stranger's text as it may be shown."""

from __future__ import annotations

import re

from intake.errors import Unreadable

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls but for tabs and newlines, turns of the direction of writing, ends of lines, and halves of characters."""
MOST_SHOWN = 10_000
"""Characters of a line: room for every fault of a file, and not for a file."""


def decode_text(data: bytes) -> str:
    """Decode UTF-8 text, dropping a byte order mark; Unreadable says where it is no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"not a text file (byte {error.start} is not UTF-8)") from error


def escape_controls(text: str) -> str:
    r"""Return the text with what would steer a terminal written out.

    >>> escape_controls("a\x1b[2Jb\tc\n\u202ed")
    'a\\u001b[2Jb\tc\n\\u202ed'
    """
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    r"""Return the text on one line, and visible: what a file brings must not look like another line of ours.

    Of a line without end it is the beginning.

    >>> one_line("caf\u00e9\n gunbai:\ta\x1bb")
    'café gunbai: a\\u001bb'
    """
    line = escape_controls(" ".join(text[: MOST_SHOWN + 1].split()))
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 1]}…"
