"""Cut the letters for people's names and for headings down to what they need: `python -m requirements.fonts FOLDER`.

The typeface of the screen has Latin letters alone. Names may have others, which come from the Noto fonts, all under the
SIL Open Font License. FOLDER holds them as they are published:

    NotoSansCJK-Regular.ttc             Debian's package fonts-noto-cjk
    NotoSansHebrew-Regular.ttf,
    NotoSansArabic-Regular.ttf          Debian's package fonts-noto-core
    noto-emoji-*-400-normal.woff2       npm's package @fontsource/noto-emoji (in one colour)
    kaisei-tokumin-latin-800-normal.woff2,
    stardos-stencil-latin-700-normal.woff2
                                        npm's packages @fontsource/kaisei-tokumin, @fontsource/stardos-stencil

The last two are for headings, and are under the same licence; Stardos keeps its name for its own makers, so what is cut
of it is called otherwise.

It needs `pip install fonttools brotli`, and writes to `companion/view/fonts`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.merge import Merger  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

FONTS = Path(__file__).parents[1] / "companion" / "view" / "fonts"
ARABIC_NAME = "NotoSansArabic-Names.ttf"
KUTEN_FIRST, KUTEN_SIZE = 0xA1, 94
KANJI_ROWS = range(16, 48)
"""The rows of JIS X 0208 with its first level: 2,965 kanji, those of daily use and of most names."""
NAMES = (
    "侃侑俐倖凜凰勁匡卿奎娃孟峨嵩巫彗彪恕恢恰惇惺惣憐捷捺掬撫擢斐昊晏晟晨暉曙朋杏杜柊柘栞栩桔梓梁梢椋椛楓楢榛樺橙檀櫂毅洸洵淳渚湊湘滉"
    "漱澪煌煕燎燦燿爾牟獅玖玲珂珈珊珀琅琉琢琳瑚瑛瑞瑠瑳瑶璃瓊皐皓眸瞭矩碧碩磐祐禄禎秦穣稔稜竣竪笹箕篠紗紘紬絃絢綸綺緋縞翔翠耀耶聡"
    "肇脩胤舜芙芹茉茜莉莞菖菫萌葵蒔蒼蓉蓮蕉薙藍蘭虎虹蜜蝶袈裟詢諄諏諒讃豹赳輔迪迦邑郁酉醇釉鋒錫閏阿隼雀雁雫鞠颯馨駕駿驍魁鮎鯉鳳鴻鵬鷗鷲"
    "鷺麒麟麿黎黛鼎﨑髙德惠澤邊濱龍齋廣國櫻眞槇"
)
"""Kanji of names, most of them of the second level."""
HANGUL_ROWS = range(16, 41)
"""The rows of KS X 1001 with its 2,350 syllables: those of daily use and of names."""
KANA = (*range(0x3001, 0x3020), *range(0x3041, 0x3100), *range(0xFF01, 0xFF9F))
HEBREW = (0x20, *range(0x05D0, 0x05EB), 0x05F3, 0x05F4)
ARABIC = (0x20, 0x060C, *range(0x0621, 0x0656), *range(0x0660, 0x066A), 0x067E, 0x0686, 0x0698, 0x06A9, 0x06AF, 0x06CC)
EMOJI = (
    *(0x2600, 0x2601, 0x2603, 0x260E, 0x2614, 0x2615, 0x2618, 0x2620, 0x2622, 0x262F, 0x2639, 0x263A, 0x2660, 0x2663),
    *(0x2665, 0x2666, 0x267B, 0x2693, 0x2694, 0x2696, 0x26A0, 0x26A1, 0x26BD, 0x26BE, 0x26C4, 0x26F5, 0x2705, 0x2708),
    *(0x270C, 0x2728, 0x2744, 0x274C, 0x2764, 0x2B50),
    *range(0x1F300, 0x1F321), *range(0x1F330, 0x1F394), *range(0x1F3A0, 0x1F3F1), *range(0x1F3F3, 0x1F3F6),
    *range(0x1F400, 0x1F4FD), *range(0x1F525, 0x1F53E), *range(0x1F5FA, 0x1F650), *range(0x1F680, 0x1F6C6),
    *range(0x1F900, 0x1FA00),
)  # fmt: skip

LATIN = (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2212)
STENCIL, STENCIL_NAME = "GunbaiStencil.ttf", "Gunbai Stencil"


def kanji() -> list[int]:
    """Return the kanji of the first level of JIS X 0208."""
    return _in_rows(KANJI_ROWS, "euc_jp")


def hangul() -> list[int]:
    """Return the syllables of KS X 1001."""
    return _in_rows(HANGUL_ROWS, "euc_kr")


def _in_rows(rows: Iterable[int], encoding: str) -> list[int]:
    codes = (bytes((0xA0 + row, KUTEN_FIRST + cell)) for row in rows for cell in range(KUTEN_SIZE))
    return [ord(sign) for code in codes for sign in code.decode(encoding, "ignore")]


def cut(font: TTFont, wanted: Iterable[int], name: str) -> int:
    """Write what is wanted of a font, without hints; return its size in bytes."""
    joined = ["ccmp", "init", "medi", "fina", "isol", "rlig", "mark"] if name == ARABIC_NAME else []
    options = subset.Options(hinting=False, layout_features=joined, name_IDs=[0, 1, 2, 5, 13, 14])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(wanted))
    cutter.subset(font)
    target = FONTS / name
    font.flavor = None
    font.save(target)
    return target.stat().st_size


def renamed(font: TTFont, name: str) -> TTFont:
    """Return a font under another name, its copyright and licence kept."""
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16):
            font["name"].setName(name, record.nameID, record.platformID, record.platEncID, record.langID)
    return font


def main(folder: Path) -> None:
    """Write all of them and say how large each is."""
    emoji = Merger().merge([str(path) for path in sorted(folder.glob("noto-emoji-*-400-normal.woff2"))])
    made = {
        "NotoSansJP-Names.otf": (
            TTFont(folder / "NotoSansCJK-Regular.ttc", fontNumber=0),
            (*KANA, *kanji(), *map(ord, NAMES)),
        ),
        "NotoSansKR-Names.otf": (TTFont(folder / "NotoSansCJK-Regular.ttc", fontNumber=1), hangul()),
        "NotoSansHebrew-Names.ttf": (TTFont(folder / "NotoSansHebrew-Regular.ttf"), HEBREW),
        ARABIC_NAME: (TTFont(folder / "NotoSansArabic-Regular.ttf"), ARABIC),
        "NotoEmoji-Names.ttf": (emoji, EMOJI),
        "KaiseiTokumin-Headings.ttf": (TTFont(folder / "kaisei-tokumin-latin-800-normal.woff2"), LATIN),
        STENCIL: (renamed(TTFont(folder / "stardos-stencil-latin-700-normal.woff2"), STENCIL_NAME), LATIN),
    }
    for name, (font, wanted) in made.items():
        print(f"{name}: {cut(font, wanted, name) / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
