"""What has broken readers before: numbers, characters and nestings that are put wherever there is room for them."""

from __future__ import annotations

from typing import Any

MANY = 3000

NUMBERS: tuple[bytes, ...] = (
    *(b"0", b"-0", b"-0.0", b"-1", b"1", b"2", b"1.5", b"255", b"256", b"65535", b"65536", b"1000000000"),
    *(b"2147483647", b"2147483648", b"4294967295", b"4294967296", b"-2147483649"),
    *(b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616"),
    *(b"1e400", b"-1e400", b"1e-400", b"1e308", b"1.7976931348623157e308", b"5e-324", b"1e16", b"0.1"),
    *(b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"+inf", b"1e", b"0x10", b"0o7", b"1_000", b"007"),
    *(b"9" * 400, b"9" * 400 + b".5", b"9" * 5000, b"-" + b"9" * 5000, b"0." + b"0" * 5000 + b"1"),
    *("²".encode(), "٣".encode(), "１２".encode(), b"true", b"false", b"null"),
)
CHARACTERS: tuple[bytes, ...] = (
    *(
        b"\0",
        b"\a",
        b"\b",
        b"\x1b",
        b"\x1b[31m",
        b"\x1b]0;x\a",
        b"\x7f",
        b"\r",
        b"\r\n",
        b"\n",
        b"\t",
        b"\x0b",
        b"\x0c",
    ),
    *(b"\x1c", b"\x85", "\x85".encode(), "\x9b31m".encode(), "\u2028".encode(), "\u2029".encode(), "\u200b".encode()),
    *("\u202e".encode(), "\ufeff".encode(), "\ufffe".encode(), "\U000e0001".encode(), "\U0010ffff".encode()),
    *(b"\xff", b"\xfe\xff", b"\xc0\x80", b"\xed\xa0\x80", b"caf\xe9", b"\xf4\x90\x80\x80", b"\xe2\x80"),
    *(b"\\ud800", b"\\udfff\\ud800", b"\\u0000", b"\\u001b[2J", b"\\u2028", b"\\x00", b"\\"),
    *("é".encode(), "ß".encode(), "İ".encode(), "日本".encode(), "😀".encode(), "e\u0301".encode() * 40),
)
WORDS: tuple[bytes, ...] = (
    *(
        b"",
        b" ",
        b"''",
        b'""',
        b'"',
        b"'",
        b"`",
        b"#",
        b";",
        b"=",
        b",",
        b":",
        b"-",
        b"--",
        b"*",
        b"$",
        b"&",
        b"|",
        b"~",
    ),
    *(b"%s", b"%n%n", b"{}", b"{0}", b"{who}", b"{0.__class__}", b"__class__", b"__proto__", b"None", b"self"),
    *(b"..", b"../../../etc/passwd", b"/dev/zero", b"/", b"//", b".", b"~root", b"con", b"x" * 300, b"x" * 70_000),
    *(b"sum", b"do", b"new", b"system", b"texts", b"position", b"steps", b"kind", b"version", b"known", b"owner"),
)
NESTS: tuple[bytes, ...] = (
    *(b"[" * MANY, b"]" * MANY, b"[" * MANY + b"]" * MANY, b"{" * MANY, b"(" * MANY, b'{"a":' * MANY),
    *(
        b'{"a":' * MANY + b"1" + b"}" * MANY,
        b"[{" * MANY,
        b"a." * MANY,
        b"[" * 50 + b"]" * 50,
        b"-" * MANY,
        b'"' * MANY,
    ),
)
ANY: tuple[bytes, ...] = (*NUMBERS, *CHARACTERS, *WORDS, *NESTS)

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 99, 256, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 2**63, 2**64, 10**30),
    *(0.5, -0.5, 1.0, 1e16, 1e308, -1e308, 5e-324),
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "1e400",
        "\0",
        "\n",
        "\r",
        "\x1b[31m",
        "\x7f",
        "\x9b",
        "\u2028",
        "\u202e",
        "\ufeff",
        "é",
    ),
    *("x" * 300, "é" * 300, "x" * 70_000, "../../etc/passwd", "/", "{who}", "%s", "__class__", "None", "\U0010ffff"),
    *([], {}, [[]], [{}], [None], {"": None}, {"x": {}}, [0] * 70, [[1, 2]] * 3, {"a": [{"b": []}]}, list(range(30))),
)
"""Values that a JSON or TOML text can hold as they are; what no writer of Python's would write stands in RAW."""

RAW: tuple[bytes, ...] = (*NUMBERS, *NESTS, b'"\\ud800"', b'"\\udc00\\ud800"', b'"\xff"', b'"\0"', b"", b"/* */ 1")
