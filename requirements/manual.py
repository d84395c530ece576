"""The manual page in every language, and the completions of every shell, made from the parser of the command line.

`python -m requirements.manual FOLDER` writes them under FOLDER as a system has them under /usr; building the wheel puts
them into it. Needs the packages of requirements/build.txt.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import shtab

from companion import __version__
from companion.cli import parser
from companion.core.language import languages, speaking

COMPLETIONS = {
    "bash": "share/bash-completion/completions/gunbai",
    "fish": "share/fish/vendor_completions.d/gunbai.fish",
    "zsh": "share/zsh/site-functions/_gunbai",
}


def page(language: str) -> str:
    """Write the manual page in a language, as man(1) reads it.

    It has no date, so that equal sources make equal pages.
    """
    with speaking(language):
        top = parser(listed=False)
        lines = [f'.TH GUNBAI 1 "" "gunbai {__version__}" Gunbai', ".SH NAME", f"gunbai \\- {plain(top.description)}"]
        lines += [".SH SYNOPSIS", plain(top.format_usage().partition(": ")[2])]
        lines += [".SH COMMANDS"]
        for name, one in top.commands().items():
            lines += [f".SS gunbai {name}", *filled(one.description)]
            for named, told in one.argument_rows():
                lines += [".TP", f"\\fB{plain(named)}\\fR", plain(told)]
        return "\n".join([*lines, ".SH NOTES", *literal(top.epilog)]) + "\n"


def plain(text: str | None) -> str:
    r"""Return a text on one line, with nothing in it that man(1) would obey.

    >>> plain(".so  -o")
    '\\&.so \\-o'
    """
    line = " ".join((text or "").split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line


def filled(text: str | None) -> Iterator[str]:
    """Yield paragraphs that man(1) fills.

    A paragraph with lines that are set in, such as examples, stays as it is.
    """
    for paragraph in (text or "").split("\n\n"):
        yield from literal(paragraph) if "\n  " in paragraph else (plain(paragraph),)
        yield ".PP"


def literal(text: str | None) -> Iterator[str]:
    """Yield a text line by line, each as wide as it is."""
    yield ".nf"
    for line in (text or "").splitlines():
        yield line.replace("\\", "\\e").replace("-", "\\-") or ".sp"
    yield ".fi"


def completions(shell: str) -> str:
    """Return the script that completes commands and options in this shell."""
    with speaking("en"):
        return str(shtab.complete(parser(listed=False), shell=shell))


def files() -> dict[str, str]:
    """Return all of the files as {path below /usr: text}.

    Debian's shtab, which makes its package, knows no fish yet.
    """
    pages = {f"share/man/{'' if code == 'en' else code + '/'}man1/gunbai.1": page(code) for code in languages()}
    known = {shell: path for shell, path in COMPLETIONS.items() if shell in shtab.SUPPORTED_SHELLS}
    return pages | {path: completions(shell) for shell, path in known.items()}


def write(folder: Path) -> list[Path]:
    """Write them below a folder; where they are."""
    made = []
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        made.append(path)
    return made


if __name__ == "__main__":
    for one in write(Path(sys.argv[1])):
        print(one)
