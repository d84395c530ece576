"""A program on PATH in place of espeak-ng or piper: it writes down its arguments and what it reads."""

from __future__ import annotations

from pathlib import Path

SPEAKS = 'for last; do :; done; { echo "$@"; cat_lines; } > "$0.told"; printf sound > "$last"'


def put_voice(folder: Path, name: str = "espeak-ng", body: str = SPEAKS) -> Path:
    """Put it there; the file that tells how it was called. body: what it does, in the words of /bin/sh."""
    program = folder / name
    program.write_text(f'#!/bin/sh\ncat_lines() {{ while read -r line; do echo "$line"; done; }}\n{body}\n')
    program.chmod(0o755)
    return folder / f"{name}.told"
