"""A small GTP engine that plays Go after a fashion, and misbehaves on request.

python -S -E tests/support/scripted_engine.py [options]      (`command(...)` below gives this command line to tests)

    --name X            what `name` answers; default "scripted"
    --seed N            play at random; else the first legal point from A1. `set_random_seed` does the same later
    --moves "D4 E5 ..." play these, whatever the board shows, then pass; from the first again after clear_board
    --resign-after N    resign instead of the Nth move of a game
    --answer TEXT       what genmove answers, from the time of --at on
    --delay S           seconds that a move takes
    --komi, --size      values before any are sent; 7.5 and 9
    --how WHAT          misbehave (may be given more than once), at the time that --at says
    --at N              at the Nth genmove of a game (or the Nth play, for those of play); default 3
    --times N           at most so often in the life of the process; default: without end
    --pid FILE          write the process id there; a child's into FILE.child (leaves-child), FILE.daemon (daemon)

Without --how it is healthy: it keeps a board with captures, plays no suicide, takes no ko back, fills no eye of its
own, repeats no position, and passes when nothing is left. --how at genmove:

    dies            exit code 3, "out of stones" on stderr      killed         by its own SIGKILL
    hangs           says nothing more                           unended        an answer without the empty line
    drips           an answer of more and more lines            blank-line     an empty line inside the answer
    logs            log lines on stdout before the answer       long-line      a line of 50 MB
    floods          log lines without end                       floods-answer  answer lines without end
    stderr          20 MB on stderr                             invalid-utf8   bytes that are no UTF-8 in the answer
    closes-stdout   and lives on                                leaves-child   dies; a child holds its pipes open
    occupied        a point that has a stone                    self-capture   a suicide where there is one
    off-board       Z9                                          malformed      "(4, 4)"
    empty           no move at all                              refuses-genmove  `? no idea`
    resign, RESIGN, Resign                                      wrong-colour   puts a stone of the other colour,
    names-colour    "b D4"                                                     and says only where
    strange-id      an id that nobody sent                      stale-id       the answer before once more, first
    drops-id        no id, in that answer only                  id-before      the id of the command before
    tab-cr          tabs, CR LF and control characters          overspends     sleeps --overspend S (default 1)
    daemon          leaves a process without a parent, in a session of its own, with an empty environment

at play, where the Nth is the opponent's Nth move of a game:

    rejects         `? illegal move` to a legal move            refuses-play   `? cannot place this`
    dies-at-play    exit code 3

at any time:

    wont-start      exit code 2 at once                         banner         lines on stdout at the start
    never-quits     deaf to quit, the end of input and TERM     deaf           reads nothing
    unknown         knows none but the six commands that a game needs, and says so to known_command
    no-id           gives no ids                                constant-id    gives the id 7 always
    protocol-2.0    calls the protocol version "2.0"            wrong-score    final_score says that black lost by 99.5
    wrong-dead      final_status_list dead lists all stones     plays-on       plays after two passes
    no-boardsize    refuses boardsize                           no-komi        refuses komi
    ignores-clear   keeps the board at clear_board              crashes-at-end dies where the next game would begin
    crashes-at-score  dies at final_score                       slow-quit      takes 1 s to quit
    no-list         does not know list_commands
    lies            list_commands names a command that is unknown
    allows-all      takes any move to an empty point: suicide, ko      overwrites     takes a move to an occupied point
    sleepy-start    takes 1 s before it reads anything          no-undo, no-time: does not know undo, the time commands
    forgets-captures  leaves captured stones on the board       dies-at-unknown  dies at a command it does not know
    comment-blind   answers `?` to empty lines and comments     cr-blind       takes CR for a part of the command
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

Point = tuple[int, int]
"""Column and row from 1."""

OPTIONS = (
    "name",
    "seed",
    "moves",
    "resign-after",
    "delay",
    "komi",
    "size",
    "how",
    "at",
    "times",
    "pid",
    "overspend",
    "answer",
)
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
NEEDED = ("protocol_version", "boardsize", "clear_board", "komi", "play", "genmove", "quit")


def command(*words: str, **options: object) -> str:
    """Return the command line of an engine: `command("dies", at=5)`, words being misbehaviours."""
    parts = [sys.executable, "-S", "-E", __file__]
    for word in words:
        parts += ["--how", word]
    for name, value in options.items():
        parts += ["--" + name.replace("_", "-"), str(value)]
    return " ".join("'" + part.replace("'", "'\\''") + "'" for part in parts)


class Refusal(Exception):
    """Answer `?` and the text."""


class Silence(Exception):
    """Give no answer: one was given already."""


class Position:
    """Stones by point (column, row from 1), and the rules."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[Point, int] = {}
        self.ko: tuple[Point, int] | None = None
        self.seen: set[frozenset[tuple[Point, int]]] = set()

    def copy(self) -> Position:
        other = Position(self.size)
        other.stones, other.ko, other.seen = dict(self.stones), self.ko, self.seen
        return other

    def around(self, point: Point) -> list[Point]:
        x, y = point
        near = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(a, b) for a, b in near if 1 <= a <= self.size and 1 <= b <= self.size]

    def captured(self, point: Point) -> set[Point]:
        """Return the chain at a point if it has no liberty, else nothing."""
        colour = self.stones[point]
        chain, waiting = {point}, [point]
        while waiting:
            for near in self.around(waiting.pop()):
                if near not in self.stones:
                    return set()
                if self.stones[near] == colour and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain

    def put(self, point: Point, colour: int, keep_captives: bool = False) -> bool:
        """Put a stone and take what it captures; return whether it was suicide."""
        self.stones[point] = colour
        taken: set[Point] = set()
        for near in self.around(point):
            if self.stones.get(near, colour) != colour and near not in taken:
                taken.update(self.captured(near))
        if keep_captives:
            return False
        for stone in taken:
            del self.stones[stone]
        own = self.captured(point)
        for stone in own:
            del self.stones[stone]
        rest = [self.stones.get(near) for near in self.around(point) if near not in taken]
        self.ko = (taken.pop(), 3 - colour) if len(taken) == 1 and set(rest) <= {3 - colour} else None
        return bool(own)

    def remember(self) -> None:
        """Keep the position, for superko; `copy` shares what is kept."""
        self.seen.add(frozenset(self.stones.items()))

    def repeats(self, point: Point, colour: int) -> bool:
        after = self.copy()
        after.put(point, colour)
        return frozenset(after.stones.items()) in self.seen

    def why_illegal(self, point: Point, colour: int) -> str:
        if point in self.stones:
            return "illegal move"
        near = self.around(point)
        if any(other not in self.stones for other in near):
            return ""  # neither suicide nor ko
        if self.ko == (point, colour):
            return "illegal move: ko"
        return "illegal move: suicide" if self.copy().put(point, colour) else ""

    def area(self) -> int:
        """Return black's area less white's."""
        score, done = 0, set[Point]()
        for x in range(1, self.size + 1):
            for y in range(1, self.size + 1):
                if (x, y) in self.stones:
                    score += 1 if self.stones[x, y] == 1 else -1
                elif (x, y) not in done:
                    region, waiting, border = {(x, y)}, [(x, y)], set[int]()
                    while waiting:
                        for near in self.around(waiting.pop()):
                            if near in self.stones:
                                border.add(self.stones[near])
                            elif near not in region:
                                region.add(near)
                                waiting.append(near)
                    done |= region
                    score += len(region) * ((border == {1}) - (border == {2}))
        return score


class Engine:
    """The commands of GTP, a method each, `do_NAME`."""

    def __init__(self, words: list[str]) -> None:
        self.options = {"name": "scripted", "komi": "7.5", "size": "9", "delay": "0", "at": "3", "overspend": "1"}
        self.how: list[str] = []
        for option, value in zip(words[::2], words[1::2], strict=True):
            if option[2:] not in OPTIONS:
                sys.exit("no such option: " + option)
            if option == "--how":
                self.how.append(value)
            else:
                self.options[option[2:]] = value
        self.moves = self.options.get("moves", "").split()
        self.random = int(self.options["seed"]) * 2 + 1 if "seed" in self.options else None
        self.komi = float(self.options["komi"])
        self.at = int(self.options["at"])
        self.times = int(self.options.get("times", "1000000000"))
        self.id = self.last_answer = ""
        self.genmoves = 0
        self.position = Position(int(self.options["size"]))
        self.new_game()

    def new_game(self) -> None:
        if "crashes-at-end" in self.how and self.genmoves:
            os._exit(3)
        self.genmoves = self.plays = self.passes = self.played = 0
        self.before: list[Position] = []
        if "ignores-clear" not in self.how:
            self.position = Position(self.position.size)

    # ---- reading and answering ----

    def run(self) -> None:
        if "pid" in self.options:
            with open(self.options["pid"], "w") as file:
                file.write(str(os.getpid()))
        if "wont-start" in self.how:
            sys.exit("scripted: cannot find its network")
        if "never-quits" in self.how:
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if "banner" in self.how:
            self.write("Scripted Engine 1.0\nloading weights ...\n\nready.\n")
        if "sleepy-start" in self.how:
            time.sleep(1)
        while "deaf" not in self.how and (line := sys.stdin.buffer.readline()):
            self.handle(line.decode("utf-8", "replace"))
        while "deaf" in self.how or "never-quits" in self.how:
            time.sleep(10)

    def handle(self, line: str) -> None:
        if "cr-blind" not in self.how:
            line = line.replace("\r", "")
        line = line.rstrip("\n")
        if "comment-blind" not in self.how:
            line = line.partition("#")[0].replace("\t", " ").strip(" ")
            if not line:
                return
        words = line.split(" ") if "cr-blind" in self.how else line.split()
        self.id = words.pop(0) if words and words[0].isdigit() else ""
        name = words[0] if words else ""
        try:
            if name not in self.known():
                if "dies-at-unknown" in self.how:
                    os._exit(3)
                raise Refusal("unknown command")
            self.answer(getattr(self, "do_" + name)(*words[1:]) or "")
        except Refusal as refusal:
            self.answer(str(refusal), "?")
        except Silence:
            pass
        except (TypeError, ValueError, KeyError):
            self.answer("syntax error", "?")
        if name == "quit" and "never-quits" not in self.how:
            time.sleep(1 if "slow-quit" in self.how else 0)
            sys.exit(0)

    def answer(self, text: str, sign: str = "=") -> None:
        number = "" if "no-id" in self.how else "7" if "constant-id" in self.how and self.id else self.id
        self.last_answer = sign + number + (" " + text if text else "") + "\n\n"
        self.write(self.last_answer)

    def write(self, text: str | bytes) -> None:
        sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
        sys.stdout.buffer.flush()

    def known(self) -> Sequence[str]:
        if "unknown" in self.how:
            return NEEDED
        names = [name[3:] for name in dir(self) if name.startswith("do_")]
        if "no-list" in self.how:
            names.remove("list_commands")
        if "no-undo" in self.how:
            names.remove("undo")
        if "no-time" in self.how:
            names = [name for name in names if not name.startswith("time_")]
        return names

    # ---- about itself ----

    def do_name(self) -> str:
        return self.options["name"]

    def do_version(self) -> str:
        return "1.0"

    def do_protocol_version(self) -> str:
        return "2.0" if "protocol-2.0" in self.how else "2"

    def do_list_commands(self) -> str:
        return "\n".join([*self.known(), *(["estimate_score"] if "lies" in self.how else [])])

    def do_known_command(self, name: str) -> str:
        return "true" if name in self.known() else "false"

    def do_quit(self) -> str:
        return ""

    def do_set_random_seed(self, seed: str) -> None:
        self.random = int(seed) * 2 + 1

    def do_time_settings(self, main: str, period: str, stones: str) -> None:
        float(main), float(period), int(stones)

    def do_time_left(self, colour: str, seconds: str, stones: str) -> None:
        self.colour(colour), float(seconds), int(stones)

    # ---- the board ----

    def do_boardsize(self, size: str) -> None:
        if "no-boardsize" in self.how or not 2 <= int(size) <= 25:
            raise Refusal("unacceptable size")
        if int(size) != self.position.size:
            self.position = Position(int(size))
        self.new_game()

    def do_clear_board(self) -> None:
        self.new_game()

    def do_komi(self, komi: str) -> None:
        if "no-komi" in self.how:
            raise Refusal("komi is 5.5 here")
        self.komi = float(komi)

    def do_play(self, colour: str, vertex: str) -> None:
        side, point = self.colour(colour), self.point(vertex)
        self.plays += 1
        if self.now("rejects", self.plays):
            raise Refusal("illegal move")
        if self.now("refuses-play", self.plays):
            raise Refusal("cannot place this")
        if self.now("dies-at-play", self.plays):
            os._exit(3)
        if point is not None:
            why = self.position.why_illegal(point, side)
            allowed = "overwrites" in self.how or ("allows-all" in self.how and point not in self.position.stones)
            if why and not allowed:
                raise Refusal(why)
        self.make(point, side)

    def do_undo(self) -> None:
        if not self.before:
            raise Refusal("cannot undo")
        self.position = self.before.pop()
        self.passes = 0

    def do_showboard(self) -> str:
        rows = []
        for y in range(self.position.size, 0, -1):
            cells = [".XO"[self.position.stones.get((x, y), 0)] for x in range(1, self.position.size + 1)]
            rows.append(f"{y:2d} {' '.join(cells)}")
        return "\n" + "\n".join(rows)

    def do_list_stones(self, colour: str) -> str:
        side = self.colour(colour)
        return " ".join(self.text(point) for point, stone in sorted(self.position.stones.items()) if stone == side)

    def do_final_score(self) -> str:
        if "crashes-at-score" in self.how:
            os._exit(3)
        score = -99.5 if "wrong-score" in self.how else self.position.area() - self.komi
        return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"

    def do_final_status_list(self, status: str) -> str:
        listed = "dead" if "wrong-dead" in self.how else "alive"
        return "\n".join(self.text(point) for point in self.position.stones) if status == listed else ""

    def make(self, point: Point | None, colour: int) -> None:
        self.before.append(self.position.copy())
        if len(self.before) > 1000:
            del self.before[0]
        self.played += 1
        self.passes = self.passes + 1 if point is None else 0
        if point is None:
            self.position.ko = None
        else:
            self.position.put(point, colour, "forgets-captures" in self.how)
            self.position.remember()

    def colour(self, text: str) -> int:
        return {"b": 1, "black": 1, "w": 2, "white": 2}[text.lower()]

    def point(self, text: str) -> Point | None:
        if text.lower() == "pass":
            return None
        x, y = COLUMNS.index(text[0].upper()) + 1, int(text[1:])
        if not (x <= self.position.size and 1 <= y <= self.position.size):
            raise ValueError(text)
        return x, y

    def text(self, point: Point | None) -> str:
        return "pass" if point is None else COLUMNS[point[0] - 1] + str(point[1])

    # ---- its own moves ----

    def do_genmove(self, colour: str) -> str:
        side = self.colour(colour)
        self.genmoves += 1
        time.sleep(float(self.options["delay"]))
        for how in self.how:
            if hasattr(self, "at_" + how.replace("-", "_")) and self.now(how, self.genmoves):
                said: str | None = getattr(self, "at_" + how.replace("-", "_"))(side)
                if said is not None:
                    return said
        if "answer" in self.options and self.genmoves >= self.at:
            return self.options["answer"]
        if self.genmoves == int(self.options.get("resign-after", "0")):
            return "resign"
        if self.now("wrong-colour", self.genmoves):
            side = 3 - side
        point = self.choose(side)
        self.make(point, side)
        return self.text(point)

    def now(self, how: str, count: int) -> bool:
        """Return whether to misbehave at the `count`-th chance of a game."""
        if how not in self.how or count < self.at or self.times <= 0:
            return False
        self.times -= 1
        return True

    def choose(self, colour: int) -> Point | None:
        if self.moves:
            return self.point(self.moves[self.genmoves - 1]) if self.genmoves <= len(self.moves) else None
        lead = (self.position.area() - self.komi) * (3 - 2 * colour)
        if self.passes and lead > 0 and "plays-on" not in self.how:
            return None
        return self.search(colour)

    def search(self, colour: int) -> Point | None:
        size, position = self.position.size, self.position
        if self.played > 3 * size * size:
            return None
        points = [(x, y) for y in range(1, size + 1) for x in range(1, size + 1) if (x, y) not in position.stones]
        while points:
            number = 0
            if self.random is not None:
                self.random = (self.random * 6364136223846793005 + 1442695040888963407) % (1 << 64)
                number = (self.random >> 33) % len(points)
            point = points.pop(number)
            eye = all(position.stones.get(near) == colour for near in position.around(point))
            if not eye and not position.why_illegal(point, colour) and not position.repeats(point, colour):
                return point
        return None

    # ---- misbehaviour at genmove ----

    def at_dies(self, colour: int) -> None:
        sys.stderr.write("out of stones\n")
        sys.stderr.flush()
        os._exit(3)

    def at_killed(self, colour: int) -> None:
        os.kill(os.getpid(), 9)

    def at_hangs(self, colour: int) -> None:
        while True:
            time.sleep(10)

    def at_unended(self, colour: int) -> None:
        self.write(f"={self.id} A1\n")
        self.at_hangs(colour)

    def at_drips(self, colour: int) -> None:
        self.write(f"={self.id} A1\n")
        while True:
            self.write("and\n")
            time.sleep(0.02)

    def at_logs(self, colour: int) -> None:
        self.write("thinking as black or white\n\nvisits: 800\n")

    def at_blank_line(self, colour: int) -> str:
        point = self.choose(colour)
        self.make(point, colour)
        return self.text(point) + "\n\nthat was easy\nvery easy"

    def at_long_line(self, colour: int) -> str:
        self.write(f"={self.id} ")
        for _ in range(50):
            self.write("x" * 1_000_000)
        return ""

    def at_floods(self, colour: int) -> None:
        while True:
            self.write("x" * 100 + "\n")

    def at_floods_answer(self, colour: int) -> None:
        self.write(f"={self.id} A1\n")
        self.at_floods(colour)

    def at_stderr(self, colour: int) -> None:
        for _ in range(200):
            os.write(2, b"warming up\n" * 9532)

    def at_invalid_utf8(self, colour: int) -> None:
        point = self.choose(colour)
        self.make(point, colour)
        self.write(b"=%s %s\n\xff\xfe caf\xe9\n\n" % (self.id.encode(), self.text(point).encode()))
        raise Silence

    def at_closes_stdout(self, colour: int) -> None:
        sys.stdout.flush()
        os.close(1)
        self.at_hangs(colour)

    def at_leaves_child(self, colour: int) -> None:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            self.at_hangs(colour)
        if "pid" in self.options:
            with open(self.options["pid"] + ".child", "w") as file:
                file.write(str(child))
        os._exit(4)

    def at_daemon(self, colour: int) -> None:
        """Go on playing; leave a process in a session of its own, without a parent and an environment."""
        sys.stdout.flush()
        if os.fork() == 0:
            os.setsid()
            child = os.fork()
            if child:
                with open(self.options["pid"] + ".daemon", "w") as file:
                    file.write(str(child))
                os._exit(0)
            for handle in range(3):
                os.close(handle)
            words = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"]
            os.execve(sys.executable, words, {})
        os.wait()

    def at_occupied(self, colour: int) -> str | None:
        return self.text(next(iter(self.position.stones))) if self.position.stones else None

    def at_self_capture(self, colour: int) -> str | None:
        size = self.position.size
        for point in [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]:
            if self.position.why_illegal(point, colour).endswith("suicide"):
                self.make(point, colour)
                return self.text(point)
        return None

    def at_off_board(self, colour: int) -> str:
        return "Z9"

    def at_malformed(self, colour: int) -> str:
        return "(4, 4)"

    def at_names_colour(self, colour: int) -> str:
        point = self.choose(colour)
        self.make(point, colour)
        return ".bw"[colour] + " " + self.text(point)

    def at_empty(self, colour: int) -> None:
        self.write(f"={self.id}\n\n")
        raise Silence

    def at_refuses_genmove(self, colour: int) -> None:
        raise Refusal("no idea")

    def at_resign(self, colour: int) -> str:
        return "resign"

    def at_RESIGN(self, colour: int) -> str:
        return "RESIGN"

    def at_Resign(self, colour: int) -> str:
        return "Resign"

    def at_strange_id(self, colour: int) -> None:
        self.id = "987654"

    def at_drops_id(self, colour: int) -> None:
        self.id = ""

    def at_id_before(self, colour: int) -> None:
        self.id = str(int(self.id) - 1)

    def at_stale_id(self, colour: int) -> None:
        self.write(self.last_answer)

    def at_tab_cr(self, colour: int) -> None:
        point = self.choose(colour)
        self.make(point, colour)
        self.write(f"={self.id} \t{self.text(point)}\a\r\n\r\n")
        raise Silence

    def at_overspends(self, colour: int) -> None:
        time.sleep(float(self.options["overspend"]))


def main() -> None:
    try:
        Engine(sys.argv[1:]).run()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)


if __name__ == "__main__":
    main()
