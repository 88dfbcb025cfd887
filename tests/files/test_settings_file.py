"""Settings of a job in a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gotools.base.errors import ConfigError
from gotools.base.settings import SettingError
from gotools.files.settings_file import read_settings_file
from gotools.ratings.settings import RatingSettings


def settings(folder: Path, text: str, **given: Any) -> RatingSettings:
    path = folder / "elo.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings_file(str(path)).settings(RatingSettings, given)


def test_settings_of_a_file_are_overridden_by_given_ones(tmp_path: Path) -> None:
    found = settings(tmp_path, 'prior = 2\nanchor = ["a=1800"]\ncompare = ["a", "b"]\nlevel = 0.9', level=0.8)
    assert found == RatingSettings(prior=2.0, anchors={"a": 1800.0}, compare=("a", "b"), level=0.8)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\nprio = 2", r"elo.toml:2: there is no setting 'prio'; did you mean 'prior'\?"),
        ("level = 0.9\nprior = -1", "elo.toml:2: prior: -1.0 is not a number from 0 to 1,000,000"),
        ('anchor = ["a"]', "elo.toml:1: anchor: `a` should read NAME=ELO"),
        ("# k = 1\nk = 20.5", "elo.toml:2: k: goes with method elo"),
        ("k = 1\nk = 2", "elo.toml: not TOML: Cannot overwrite a value"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=what):
        settings(tmp_path, text)


def test_what_is_wrong_in_a_given_setting_is_not_laid_to_the_file(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"^prior: -1 is not"):
        settings(tmp_path, "prior = 2", prior=-1)
