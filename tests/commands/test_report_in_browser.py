"""Pages of `gotools report` as a reader has them, in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands.test_report import HOSTILE, SAID, WORDS, final_board
from support.browser import Browser, browser, needs_chromium
from support.tournament_results import fault, game
from support.written_runs import write_run

from gotools.cli import run
from gotools.game.outcome import End

pytestmark = [needs_chromium, pytest.mark.system]
CAPTURE = "D5 E5 E6 D4 F5 J1 E4"
"""Black takes E5 with the last move."""
BLACK, WHITE = (f":is(circle.{colour}, .{colour} circle)" for colour in ("black", "white"))
STONES = "document.querySelectorAll('.stage circle.black, .stage circle.white').length"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a match of engines with hostile names."""
    folder = tmp_path_factory.mktemp("page")
    results = [
        game(1, HOSTILE, "two", moves=CAPTURE),
        game(2, "two", HOSTILE, "W+R", moves="C3 pass pass"),
        fault(3, HOSTILE, "two", "b", End.crash, WORDS),
    ]
    write_run(folder / "run", results, comment=f"{SAID}\n{WORDS}", sprt={"elo0": 0, "elo1": 100})
    assert run(["report", str(folder / "run"), "-q", "-o", str(folder / "page.html")]) == 0
    return folder / "page.html"


def drawn(page: Browser) -> str:
    """Return the position that the replay shows, as text: rows from the top."""
    cells: Any = page.value(
        """(() => {
          const size = document.querySelectorAll('.stage svg > text').length / 2;
          const rows = Array.from({length: size}, () => new Array(size).fill('.'));
          for (const stone of document.querySelectorAll('.stage circle.black, .stage circle.white'))
            rows[(stone.cy.baseVal.value - 24) / 20][(stone.cx.baseVal.value - 24) / 20] =
              stone.classList.contains('black') ? 'X' : 'O';
          return rows.map((row) => row.join('')).join('/');
        })()"""
    )
    return str(cells)


def test_a_replay_steps_both_ways_and_takes_captured_stones(chromium: Browser, match: Path) -> None:
    chromium.open(match)
    chromium.value("document.querySelector('a[data-game=\"0\"]').click()")
    assert chromium.value("document.activeElement.className") == "replay"
    seen = [drawn(chromium)]
    for _ in CAPTURE.split():
        chromium.press("ArrowRight")
        seen.append(drawn(chromium))
    assert [text.count("X") + text.count("O") for text in seen] == [0, 1, 2, 3, 4, 5, 6, 6]
    last: Any = chromium.value("JSON.parse(document.querySelector('.replay script').textContent).games[0].m")
    ours = ["".join(line.split()[1:]) for line in final_board(last, 9).splitlines()]
    assert seen[-1].split("/") == [row for row in ours if len(row) == 9][:9]
    for back in reversed(seen[:-1]):
        chromium.press("ArrowLeft")
        assert drawn(chromium) == back
    chromium.press("ArrowLeft")
    assert "0 of 7" in chromium.value("document.querySelector('.now').textContent")
    chromium.press("End")
    assert "7 of 7 · black E4 · black's chance 7 %" in chromium.value("document.querySelector('.now').textContent")
    chromium.press("ArrowDown")
    assert chromium.value("document.querySelector('.title').textContent").startswith("Game 2: two (black)")
    chromium.value("document.querySelector('[data-step=forward]').click()")
    assert chromium.value(STONES) == 1
    chromium.value("document.querySelector('[data-step=last]').click()")
    assert "3 of 3 · black pass" in chromium.value("document.querySelector('.now').textContent")
    assert chromium.problems == []


@pytest.mark.parametrize(
    ("name", "moves", "seen"),
    [
        ("connect4", "4 4 3", {BLACK: 2, WHITE: 1, ".last": 1, "path": 0}),
        ("abalone", "a1b2", {BLACK: 14, WHITE: 14, ".last": 2, "path": 0}),
        ("shogi", "7g7f 3c3d 8h2b+", {BLACK: 0, "g > path": 39, ".last": 2, "path": 40}),
    ],
)
def test_a_replay_of_another_game_draws_its_board(
    chromium: Browser, tmp_path: Path, name: str, moves: str, seen: dict[str, int]
) -> None:
    (tmp_path / "games.jsonl").write_text(f'{{"game": "{name}", "moves": {json.dumps(moves.split())}}}\n')
    page = tmp_path / "page.html"
    assert run(["report", str(tmp_path / "games.jsonl"), "--game", name, "-q", "-o", str(page)]) == 0
    chromium.open(page)
    for press in (None, "ArrowLeft", "ArrowRight"):
        if press:
            chromium.value("document.querySelector('.replay').focus()")
            chromium.press(press)
    count = "document.querySelectorAll('.stage svg {}').length"
    assert {place: chromium.value(count.format(place)) for place in seen} == seen
    if name == "shogi":
        assert "in hand: B" in chromium.value("document.querySelector('.stage').textContent")
    chromium.open(page, script=False)
    chromium.send("Emulation.setScriptExecutionDisabled", value=False)  # for the question below
    static = {place: chromium.value(count.format(place)) for place in seen}
    assert static == seen, "the drawing that stands there without scripts is the same"
    assert chromium.problems == []


@pytest.mark.smoke
def test_a_page_holds_its_drawings_and_loads_nothing(chromium: Browser, match: Path) -> None:
    chromium.open(match)
    charts = chromium.value("document.querySelectorAll('svg.chart').length")
    assert charts >= 4 and chromium.value("document.querySelectorAll('svg.board').length") == 1
    assert chromium.value(
        "[...document.querySelectorAll('svg')].every((one) => one.getBoundingClientRect().height > 40)"
    )
    own = [url for url in chromium.requests if not url.startswith("data:")]
    assert own == [match.resolve().as_uri()] and chromium.problems == []


def test_hostile_names_and_words_run_nothing(chromium: Browser, match: Path) -> None:
    chromium.open(match)
    for number in (0, 1, 2):
        chromium.value(f"document.querySelector('a[data-game=\"{number}\"]').click()")
        for _ in range(3):
            chromium.press("ArrowRight")
    assert chromium.value("document.querySelectorAll('img, script:not([type]) ~ script').length") == 0
    assert HOSTILE in chromium.value("document.querySelector('main').textContent")
    assert WORDS in chromium.value("document.body.textContent")
    assert chromium.problems == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_the_page_without_scrolling_aside(chromium: Browser, match: Path, dark: bool) -> None:
    chromium.open(match, width=390, dark=dark)
    assert chromium.value("document.documentElement.scrollWidth") == 390
    aside = chromium.value(
        """[...document.querySelectorAll('main *')].filter((one) => !one.closest('.wide, pre, svg, script')
           && one.getBoundingClientRect().right > 391).map((one) => one.className || one.tagName)"""
    )
    assert aside == []
    black, white = ("rgb(15, 19, 24)", "rgb(255, 255, 255)")
    assert chromium.value("getComputedStyle(document.body).backgroundColor") == (black if dark else white)


def test_on_a_phone_a_table_with_sentences_scrolls(chromium: Browser, tmp_path: Path) -> None:
    rule = "move(A,B,C,D) :- escapes(A,C,D,B,works)."
    cells = ["0.5", "0.4", "0.1", "0", "0.2", "Escapes from atari, and says so in a sentence of many words.", rule]
    columns = ["a", "b", "difference", "low", "high", "words", "clause"]
    lines = ["##gotools lessons 1", "##bands=a,b", "\t".join(["rule", *columns]), "\t".join(["r1", *cells])]
    (tmp_path / "l.tsv").write_text("\n".join(lines) + "\n")
    assert run(["report", str(tmp_path / "l.tsv"), "-q", "-o", str(tmp_path / "page.html")]) == 0
    chromium.open(tmp_path / "page.html", width=390)
    assert chromium.value("document.documentElement.scrollWidth") == 390
    assert float(str(chromium.value("document.querySelector('td.words').getBoundingClientRect().width"))) > 200
    assert chromium.value("document.querySelector('.wide').scrollWidth > document.querySelector('.wide').clientWidth")
    assert chromium.value("document.querySelector('td.board svg').getBoundingClientRect().width > 60")


def test_a_judged_game_shows_likely_moves_and_leads_to_its_surprises(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "rules.pl").write_text(
        "%% gotools rules 1\nrule(r1, 1, 1, 3).\nmove(A,B,C,D) :- last_distance(A,C,D,E), range(E,1,2).\n"
    )
    moves = ";B[ee];W[ed];B[aa];W[ec];B[eb];W[ii]"
    (tmp_path / "hostile.sgf").write_text(f"(;GM[1]SZ[9]PB[{HOSTILE}]PW[{WORDS}]{moves})")
    target = tmp_path / "page.html"
    files = [str(tmp_path / name) for name in ("rules.pl", "hostile.sgf")]
    assert run(["report", *files, "-q", "-o", str(target)]) == 0
    chromium.open(target)
    heat = "[...document.querySelectorAll('.stage .share')].map((one) => one.textContent)"
    assert HOSTILE in chromium.value("document.querySelector('.title').textContent")
    first = "document.querySelector('.surprises button')"
    ply, share = str(chromium.value(f"{first}.textContent")).split(": ")
    now = "document.querySelector('.now').textContent"
    before = f"{int(ply) - 1} of 6"
    assert str(chromium.value(now)).startswith(before), "the page opens before the first surprise"
    chromium.value("document.querySelector('[data-step=last]').click()")
    assert chromium.value(heat) == [], "after the last move nothing is expected"
    chromium.value(f"{first}.click()")
    assert str(chromium.value(now)).startswith(before) and len(chromium.value(heat)) > 0
    assert chromium.value("document.querySelectorAll('.stage .move').length") == 1, "a ring on the move that comes"
    chromium.value("document.querySelector('.replay').focus()")
    chromium.press("ArrowRight")
    assert f"expected with {share}" in chromium.value("document.querySelector('.now').textContent")
    place = str(chromium.value("document.querySelector('a[data-game*=\":\"]').dataset.game")).partition(":")[2]
    chromium.value("document.querySelector('a[data-game*=\":\"]').click()")
    assert chromium.value("document.querySelector('.now').textContent").startswith(f"{place} of 6")
    assert chromium.problems == [] and chromium.value("document.querySelectorAll('img').length") == 0


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, rgb(...), as WCAG 2 defines it."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[4:-1].split(",")]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_and_everything_is_reached_by_keys(chromium: Browser, match: Path, dark: bool) -> None:
    chromium.open(match, dark=dark)
    page = chromium.value("getComputedStyle(document.body).backgroundColor")
    for place in ("p.note", "td", "th", "dt", "a[href]", "figcaption"):
        ink = chromium.value(f"getComputedStyle(document.querySelector('main {place}')).color")
        assert contrast(ink, page) >= 4.5, place
    for place, behind in ((".chart text", page), (".board text", None)):
        ink = chromium.value(f"getComputedStyle(document.querySelector('{place}')).fill")
        wood = "getComputedStyle(document.querySelector('.board .wood')).fill"
        assert contrast(ink, behind or chromium.value(wood)) >= 3.0 + 1.5 * (behind is not None), place
    chromium.value("document.querySelector('.replay').focus()")
    reached = []
    for _ in range(7):
        chromium.press("Tab")
        reached.append(chromium.value("document.activeElement.dataset.step || document.activeElement.tagName"))
    assert reached == ["first", "back", "forward", "last", "before", "after", "INPUT"]
    assert chromium.value("[...document.querySelectorAll('button, input')].every((one) => one.ariaLabel)")


def test_without_scripts_the_first_game_and_links_to_all_are_there(chromium: Browser, match: Path) -> None:
    chromium.open(match, script=False)
    chromium.send("Emulation.setScriptExecutionDisabled", value=False)  # for the questions below
    assert chromium.value("document.querySelectorAll('.stage .black circle, .stage .white circle').length") == 6
    assert chromium.value("document.querySelector('.controls').hidden")
    links: Any = chromium.value("[...document.querySelectorAll('.tall a[data-game]')].map((one) => one.href)")
    assert [Path(link.removeprefix("file://")).is_file() for link in links] == [True, True, True]
