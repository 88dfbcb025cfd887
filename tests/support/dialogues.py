"""Games against an engine in the terminal: the type of the fixture of tests/play, and the records that are left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sgfmill import sgf_grammar

Play = Callable[..., tuple[int, str, str]]


def games_of(path: Path) -> list[tuple[dict[str, str], list[tuple[str, str]]]]:
    """Return the root's properties and the moves of each game of a file, as sgfmill's grammar reads them."""
    found = []
    for tree in sgf_grammar.parse_sgf_collection(path.read_bytes()):
        nodes = list(sgf_grammar.main_sequence_iter(tree))
        properties = [{key: values[0].decode() for key, values in node.items()} for node in nodes]
        moves = [(colour.lower(), node[colour]) for node in properties for colour in "BW" if colour in node]
        found.append((properties[0], moves))
    return found
