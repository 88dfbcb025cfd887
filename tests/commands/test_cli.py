"""The boundary where errors become messages and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gotools.cli import run


@pytest.mark.parametrize(
    ("cause", "code", "message"),
    [(KeyboardInterrupt(), 130, "gotools elo: interrupted\n"), (ValueError("x"), 3, "this is a bug of gotools")],
)
def test_ctrl_c_while_a_library_is_imported_is_no_bug(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    cause: BaseException,
    code: int,
    message: str,
) -> None:
    """The C part of scipy turns it into an ImportError whose cause it is."""

    def interrupted(*_: object) -> None:
        raise ImportError("initialization failed") from cause

    (tmp_path / "games.csv").write_text("black,white,result\na,b,B+R\n")
    monkeypatch.setattr("gotools.ratings.reading.results.read_results", interrupted)
    assert run(["elo", str(tmp_path / "games.csv")]) == code
    err = capfd.readouterr().err
    assert message in err and ("Traceback" in err) == (code == 3)
