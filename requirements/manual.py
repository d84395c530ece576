"""The manual page in every language, and the completions of every shell, made from the parser of the command line.

`python -m requirements.manual FOLDER` writes them under FOLDER as a system has them under /usr; building the wheel puts
them into it. Needs the packages of requirements/build.txt.
"""

from __future__ import annotations

import sys
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from companion import __version__
from companion.cli import parser
from companion.core.language import languages, speaking

COMPLETIONS = {
    "bash": "share/bash-completion/completions/gunbai",
    "fish": "share/fish/vendor_completions.d/gunbai.fish",
    "zsh": "share/zsh/site-functions/_gunbai",
}


def page(language: str) -> str:
    """The manual page in a language, as man(1) reads it. It has no date, so that equal sources make equal pages."""
    with speaking(language):
        top = parser(listed=False)
        told, top.epilog = top.epilog or "", None
        about = {"project_name": f"gunbai {__version__}", "manual_title": "Gunbai"}
        made = Manpage(top, about | {"description": top.description}, format="single-commands-section")
        made.date = ""
        return f"{made}.SH NOTES\n.nf\n{literal(told)}.fi\n"


def literal(text: str) -> str:
    r"""A text as it is, between lines that man(1) doesn't fill.

    >>> literal("gunbai COMMAND --help")
    'gunbai COMMAND \\-\\-help'
    """
    return text.replace("\\", "\\e").replace("-", "\\-")


def completions(shell: str) -> str:
    """What completes commands and options in this shell."""
    with speaking("en"):
        return str(shtab.complete(parser(listed=False), shell=shell))


def files() -> dict[str, str]:
    """{path below /usr: text} of all of them."""
    pages = {f"share/man/{'' if code == 'en' else code + '/'}man1/gunbai.1": page(code) for code in languages()}
    return pages | {path: completions(shell) for shell, path in COMPLETIONS.items()}


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
