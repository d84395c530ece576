"""People's names in other letters than the screen's own: which typeface a part of a text is set in.

The packaged typeface has Latin letters alone. Japanese, Korean, Hebrew, Arabic and emoji come from cuts of the Noto
fonts, made by `requirements/fonts.py`; each is read when the first such letter is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEBREW = "\u0590-\u05ff"
_ARABIC = "\u0600-\u06ff"
_JAPANESE = "\u3000-\u30ff\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f"
_HANGUL = "\uac00-\ud7a3"
_EMOJI = "\u2600-\u27bf\u2b50\U0001f300-\U0001faff"
_UNSEEN = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
"""What only changes the look of an emoji: its colour, its skin, its joining to the next."""


@dataclass(frozen=True, slots=True)
class Script:
    """Letters with a typeface of their own. file: among the fonts; code: as ISO 15924 has it; leftward: read so."""

    file: str
    code: str
    leftward: bool = False


OWN = Script("", "Latn")
HEBREW = Script("NotoSansHebrew-Names.ttf", "Hebr", leftward=True)
ARABIC = Script("NotoSansArabic-Names.ttf", "Arab", leftward=True)
JAPANESE = Script("NotoSansJP-Names.otf", "Jpan")
KOREAN = Script("NotoSansKR-Names.otf", "Kore")
EMOJI = Script("NotoEmoji-Names.ttf", "Zsye")

_OTHER = re.compile(
    "|".join(
        (
            f"(?P<hebrew>[{_HEBREW}](?:[ {_HEBREW}]*[{_HEBREW}])?)",
            f"(?P<arabic>[{_ARABIC}](?:[ {_ARABIC}]*[{_ARABIC}])?)",
            f"(?P<japanese>[{_JAPANESE}]+)",
            f"(?P<korean>[{_HANGUL}]+)",
            f"(?P<emoji>[{_EMOJI}]+)",
        )
    )
)
_SCRIPTS = {"hebrew": HEBREW, "arabic": ARABIC, "japanese": JAPANESE, "korean": KOREAN, "emoji": EMOJI}


def parts(text: str) -> Iterator[tuple[str, Script]]:
    """Yield the parts of a text with their script, from left to right; the words of a leftward part stay together.

    >>> [(part, script.code) for part, script in parts("Ana, さくら ☕")]
    [('Ana, ', 'Latn'), ('さくら', 'Jpan'), (' ', 'Latn'), ('☕', 'Zsye')]
    """
    if text.isascii():
        yield text, OWN
        return
    text, end = _UNSEEN.sub("", text), 0
    for found in _OTHER.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], OWN
        yield found[0], _SCRIPTS[found.lastgroup or ""]
        end = found.end()
    if end < len(text) or not text:
        yield text[end:], OWN
