"""`--start` with weights over coarser inputs: pieces on squares, or near kings, begin with what pieces are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gotools
from gotools.base.errors import FileFormatError
from gotools.game.game import find_game

TD: dict[str, Any] = {"game": "shogi", "games": 16, "opening": 8, "referee_games": 0}


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "material.npz"
    gotools.train(path, features="material", alpha=0.05, **TD)
    return path


@pytest.mark.parametrize("features", ["raw", "kings"])
def test_finer_inputs_begin_with_the_worth_of_pieces(features: str, material: Path, tmp_path: Path) -> None:
    """At a learning rate of 0 the weights stay as they began; positions are of a random game, with drops."""
    coarse = gotools.load_evaluation(material)
    fine = gotools.train(tmp_path / "fine.npz", features=features, start=material, alpha=0.0, **TD)
    game, random, seen = find_game("shogi"), np.random.default_rng(3), set[float]()
    state = game.position()
    for _ in range(150):
        value = coarse.value(state)
        assert fine.value(state) == pytest.approx(value, abs=1e-12)
        seen.add(round(value, 6))
        state = game.play(state, int(random.choice(game.moves_of(state))))
    assert len(seen) > 20


def test_other_features_are_refused(material: Path, tmp_path: Path) -> None:
    gotools.train(tmp_path / "raw.npz", features="raw", **TD)
    with pytest.raises(FileFormatError, match="shogi 9x9 raw linear, not for shogi 9x9 material linear"):
        gotools.train(tmp_path / "again.npz", features="material", start=tmp_path / "raw.npz", **TD)
    with pytest.raises(FileFormatError, match="not for shogi 9x9 raw mlp:2"):
        gotools.train(tmp_path / "again.npz", features="raw", network="mlp:2", start=material, **TD)
