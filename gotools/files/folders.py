"""Folders that appear when all of their files are written, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gotools.errors import FileFormatError
from gotools.files.opening import behind_links, naming, umask
from gotools.files.temporary import temporary_beside


@contextmanager
def output_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it gets its name `path` only when it is complete.

    An existing folder is replaced if it is empty or holds only plain files with names of the new one.

    Raises FileFormatError if the folder cannot be made, or `path` is something else.
    """
    target = behind_links(path)
    with ExitStack() as stack:
        with naming(target):
            made = Path(stack.enter_context(temporary_beside(target, folder=True)))
        yield made
        with naming(target):
            made.chmod(0o777 & ~umask())
            _give_name(made, target)


def _give_name(made: Path, target: Path) -> None:
    if target.is_dir():
        strange = sorted({entry.name for entry in target.iterdir()} - {entry.name for entry in made.iterdir()})
        if strange:
            raise FileFormatError(target, None, f"this folder holds other things ({strange[0]}); name a new one")
        for entry in sorted(made.iterdir()):
            os.replace(entry, target / entry.name)
    elif target.exists():
        raise FileFormatError(target, None, "a file of this name exists; name a new folder")
    else:
        os.replace(made, target)
