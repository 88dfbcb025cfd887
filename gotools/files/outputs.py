"""Check the outputs of a command before it does anything, so that nothing is lost: one call for all files."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gotools.base.errors import FileFormatError, WrongUsage, printable
from gotools.files.converting import PARQUET
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import STDIN, check_writable, expand_paths, head_of


class Form(NamedTuple):
    """A form of output: its name in the plural, and the endings of its files."""

    name: str
    endings: tuple[str, ...] = ()


TABLE: Final = Form("tables", Kind.ranking.endings)
RULES: Final = Form("rules", Kind.rules.endings)
C_SOURCE: Final = Form("C source", Kind.c_source.endings)
C_HEADER: Final = Form("C headers", (".h", ".hpp"))
LIBRARY: Final = Form("libraries", Kind.library.endings)
WEIGHTS: Final = Form("weights", Kind.weights.endings)
JSON: Final = Form("JSON", Kind.metrics.endings)
CSV: Final = Form("CSV", Kind.csv.endings)
XML: Final = Form("XML", Kind.xml.endings)
RECORD: Final = Form("game records", Kind.games.endings)
TEXT: Final = Form("text", (".md",))
PAGE: Final = Form("web pages", Kind.page.endings)
SETTINGS: Final = Form("settings", Kind.settings.endings)
JSON_LINES: Final = Form("JSON lines", (".jsonl",))
FORMS: Final = {"tsv": TABLE, "csv": CSV, "json": JSON, "table": TEXT}
"""The forms of `--format`."""

_FOREIGN: Final = (
    Form("other game records", (".gib", ".ngf", ".ugf", ".pgn", ".kif", ".kifu", ".ki2", ".ki2u", ".csa")),
    JSON_LINES,
    SETTINGS,
    Form("programs", (".exe", ".com", ".o", ".a", ".py", ".sh", ".bat", ".js", ".cpp")),
    Form("office documents", (".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".rtf", ".pptx", ".ppt", ".pdf")),
    Form("pictures", (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")),
    Form("archives", (".zip", ".tar", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar")),
    Form("data of other programs", (".feather", ".db", ".sqlite", ".npy", ".pkl", ".pickle")),
)
_OWNER: Final = {
    ending: form
    for form in (TABLE, RULES, C_SOURCE, C_HEADER, LIBRARY, WEIGHTS, JSON, CSV, XML, TEXT, PAGE, RECORD, *_FOREIGN)
    for ending in form.endings
}


def form_by_name(path: str | Path, forms: Collection[str]) -> str:
    """Return which of some forms (of FORMS) the ending of a name says, `.gz` apart; tsv where it says none of them."""
    ending = str(path).lower().removesuffix(".gz").rpartition(".")[2]
    return ending if ending in forms else "tsv"


Identity = tuple[int, int] | str
"""Device and inode of a file; the whole path of one that is not there yet."""


class Output(NamedTuple):
    """A file to write: the option that names it, its name (`-`: stdout; None: no file), and its form."""

    option: str
    path: str | Path | None
    form: Form


def check_outputs(
    outputs: Iterable[Output], inputs: Iterable[str | Path | None] = (), suffixes: Sequence[str] = ()
) -> None:
    """Check that outputs can be written and destroy nothing.

    inputs   -- all inputs, as the user named them: files, folders, globs, `-`
    suffixes -- of the files that are read in a folder

    A name may have any ending except one of another form; `.gz` is ignored. Devices and pipes are always allowed. An
    input that was only found in a folder may be replaced by a file of its own form: the command wrote it there
    the last time.

    Raises WrongUsage if an output is an input (also by another name: links), two outputs are one file, or a name has
    the ending of another form; OutputError if a file cannot be written.
    """
    wanted = [output for output in outputs if output.path is not None and not _is_device(output.path)]
    _check_apart(wanted)
    files = [output for output in wanted if str(output.path) != STDIN]
    _check_inputs(files, inputs, suffixes)
    for output in files:
        _check_ending(output)
        check_writable(output.path)


def _check_apart(outputs: list[Output]) -> None:
    seen: dict[Identity, str] = {}
    for option, path, _ in outputs:
        identity = STDIN if str(path) == STDIN else _identity(str(path))
        if identity in seen:
            where = "stdout" if identity == STDIN else printable(str(path))
            raise WrongUsage(f"{where}: {seen[identity]} and {option} go there; name another file for {option}")
        seen[identity] = option


def _check_inputs(outputs: list[Output], inputs: Iterable[str | Path | None], suffixes: Sequence[str]) -> None:
    there = {_identity(str(output.path)): output for output in outputs if os.path.isfile(str(output.path))}
    if not there:
        return
    for given in inputs:
        for identity, in_folder in _identities(given, suffixes):
            output = there.get(identity)
            if output is None or (in_folder and _has_form(output)):
                continue
            what = printable(str(output.path))
            raise WrongUsage(f"{what}: an input too, and would be lost; name another file for {output.option}")


def _has_form(output: Output) -> bool:
    """Return whether the file that is there is of the form that will be written."""
    return not set(output.form.endings).isdisjoint(kind_of(head_of(str(output.path))).endings)


def _identities(given: str | Path | None, suffixes: Sequence[str]) -> Iterator[tuple[Identity, bool]]:
    """Yield the files that a user named, and whether each was found in a folder or by a glob."""
    if given is None or not str(given):
        return
    if str(given) == STDIN:
        with suppress(OSError, ValueError, AttributeError):
            status = os.fstat(sys.stdin.fileno())
            yield (status.st_dev, status.st_ino), False
        return
    in_folder = not os.path.isfile(given)
    with suppress(FileFormatError):  # the reader reports missing files
        for path in expand_paths([given], suffixes):
            yield _identity(str(path)), in_folder


def _identity(path: str) -> Identity:
    try:
        status = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


def _is_device(path: str | Path) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _check_ending(output: Output) -> None:
    plain = str(output.path).lower().removesuffix(".gz")
    if plain.endswith(PARQUET) and plain != str(output.path).lower():
        what = f"{printable(str(output.path))}: Parquet is compressed already, so leave out .gz"
        raise WrongUsage(f"{what}, or name another file for {output.option}")
    ending = os.path.splitext(plain)[1]
    owner = _OWNER.get(ending, output.form)
    if owner is not output.form and ending not in output.form.endings:
        what = f"{printable(str(output.path))}: {ending} is for {owner.name}, not for {output.form.name}"
        raise WrongUsage(f"{what}; name another file for {output.option}")
