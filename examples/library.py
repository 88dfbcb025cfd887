"""From game records to rules, a value, a player and ratings, in Python; docs/library.md explains the functions.

Run it as a whole, `python examples/library.py`, or cell by cell in an editor that knows `# %%`. It takes some seconds
once the kernels are compiled (`gotools warm-up`), and leaves no files behind.
"""

# %% Where things are
import tempfile
from pathlib import Path

import numpy as np

import gotools

here = Path(__file__).parent
folder = Path(tempfile.mkdtemp())  # for rules, weights and games

# %% Examples: a row for each move, with the position before it
train = gotools.read_examples(here / "games")
test = gotools.read_examples(here / "test-games")
print(f"{len(train):,} moves to learn from, {len(test):,} to test on")
print("\n".join([f"before {train.id[60]}, {train.move_text(60)}:", *train.drawing(60)]))

# %% Rules that rank moves, each readable
study = gotools.induce_rules(train, objective="rank", max_rules=16, test=test)
for rule in study.rules.rules[:3]:
    print(f"{rule.weight:+.2f}  {rule.clause}")

# %% How often the played move is among the first k
for name, figures in {"rules": study.metrics["test"], **study.metrics["baselines"]}.items():
    print(f"{name:15} " + "  ".join(f"top {k} {figures[f'top{k}']:4.0%}" for k in (1, 5, 20)))

# %% Compiled, they rank all moves of a position in microseconds
rules = folder / "rules.so"
gotools.compile_rules(study, rules)
places = [moves.played for moves in gotools.rank_moves(test, rules) if moves.played is not None]
print(f"the played move has place {np.median(places) + 1:.0f} in the median")

# %% A value for positions, learned from games against itself
evaluation = gotools.train(folder / "eval.npz", games=192, referee_games=0)
values = evaluation.values(test)
late = test.ply > 30
print(f"mean |value| {np.abs(values[~late]).mean():.2f} in the opening, {np.abs(values[late]).mean():.2f} later")

# %% A player that follows the rules and says why
player = gotools.Player(rules=rules)
board = gotools.Board(9)
for _ in range(6):
    move = player.choose(board, nodes=300)
    reasons = player.explain(board, move)
    board.play_point(move.point, board.to_play)
print(board)
print(reasons)

# %% A match, and what it says about the players
engines = {"rules": f"gotools:rules={rules},nodes=60", "plain": "gotools:eval=none,nodes=60"}
gotools.run_tournament(engines, folder / "run", games=2, size=5, max_moves=24, openings="none", jobs=2)
for row in gotools.rate(folder / "run").rows:
    print(f"{row.name}: {row.wins} of {row.games} won, {row.elo:+.0f} Elo ({row.low:+.0f} to {row.high:+.0f})")

# %% No files left
import shutil  # noqa: E402

shutil.rmtree(folder)
