"""Games whose players' names are read right, of 40, without CA and with a wrong one: `to_utf8` of gotools."""

from __future__ import annotations

import sys

from _table import ROOT, heading, row

sys.path.insert(0, str(ROOT / "tests"))

from support.player_names import ENCODINGS, games

from gotools.game.records.encoding import to_utf8

TARGET = {"names": None, "names and ranks": 38, "names, ranks and an event": 40}


def main() -> None:
    for declared in ("", "UTF-8", "ISO-8859-1", "GB18030"):
        heading(f"encodings: {f'CA[{declared}]' if declared else 'no CA'}")
        for encoding in ENCODINGS:
            for number, (what, target) in enumerate(TARGET.items()):
                right = 0
                for data, names in games(encoding, number > 0, number > 1, declared):
                    right += "PB[{}]PW[{}]".format(*names) in to_utf8(data).decode()
                wanted = None if declared == "GB18030" else target  # a declaration has an advantage
                met = None if wanted is None else right >= wanted
                row(f"{encoding}: {what}", f"{right} of 40", "" if wanted is None else f">= {wanted}", met)


if __name__ == "__main__":
    main()
