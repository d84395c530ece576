"""The commands over a shelf of owners' files: what is there, whether a file is sound, putting it there and away."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from companion.content.own_files import OwnFiles
from companion.core.errors import UsageError
from intake.text import one_line

T = TypeVar("T")
KNOWN = {"printed": "as printed", "owner": "an owner's", "practice": "made up for practice"}


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A shelf as its command has it. told: a thing in one line. all_: everything there is, ours as well."""

    shelf: OwnFiles[T]
    told: Callable[[T], str]
    all_: Callable[[], Iterable[T]]


def done(options: argparse.Namespace, listing: Listing[T]) -> str:
    """What was asked for is done; the lines that tell of it. UsageError, OwnFileError or BadTable where it is not."""
    if options.check:
        return f"{one_line(options.check)}: sound. {listing.told(listing.shelf.load(Path(options.check)))}"
    if options.add:
        return f"added: {listing.told(listing.shelf.import_file(Path(options.add)))}"
    if options.share:
        listing.shelf.export(_owned(options.share, listing), Path(_where(options.output)))
        return f"{one_line(options.output)}: written"
    if options.remove:
        listing.shelf.delete(_owned(options.remove, listing))
        return f"{options.remove}: taken off the shelf"
    broken = [f"not read: {one_line(why)}" for _path, why in listing.shelf.register().broken]
    return "\n".join([*map(listing.told, listing.all_()), *broken])


def _owned(name: str, listing: Listing[T]) -> str:
    if not listing.shelf.path_of(name).is_file():
        raise UsageError(f"nothing of your own named {name!r} on the shelf ({listing.shelf.folder()})")
    return name


def _where(output: str | None) -> str:
    if not output:
        raise UsageError("--share needs -o FILE")
    return output
