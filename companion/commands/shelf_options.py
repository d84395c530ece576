"""The options that every command over a shelf of owners' files has."""

import argparse


def shelf_options(parser: argparse.ArgumentParser, thing: str) -> None:
    """[--check FILE | --add FILE | --share NAME -o FILE | --remove NAME], for decks, battles and the like."""
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--check", metavar="FILE", help=f"whether a file is a sound {thing}, and what is wrong with it")
    one.add_argument("--add", metavar="FILE", help=f"put a {thing}'s file on the shelf")
    one.add_argument("--share", metavar="NAME", help="copy one of your own out of the shelf")
    one.add_argument("--remove", metavar="NAME", help="take one of your own off the shelf")
    parser.add_argument("-o", "--output", metavar="FILE", help="where --share copies it to")
