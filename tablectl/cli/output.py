"""Standard output that cannot be written to: told apart from every other error, and said once."""

from __future__ import annotations

import errno
import os
import sys
from types import TracebackType
from typing import Any, TextIO, cast

from tablectl.errors import OutputLost

__all__ = ["Output"]


class Output:
    """Stands in for `sys.stdout` while a command runs.

    `OutputLost` when a write fails for want of room or because it is closed; `BrokenPipeError` when nobody reads any
    more. From then on it takes everything and drops it, so that neither is told twice, nor again as Python exits.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._lost = False

    def __enter__(self) -> Output:
        self._before = sys.stdout
        sys.stdout = cast(TextIO, self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        sys.stdout = self._before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def buffer(self) -> Output:
        """The same for bytes."""
        inner = Output(getattr(self._stream, "buffer", None))
        inner._lost = self._lost
        return inner

    def write(self, what: Any) -> int:
        """Write, or say why it cannot be done."""
        if self._stream is None and not self._lost:
            self._lost = True
            raise OutputLost(os.strerror(errno.EBADF))
        if self._lost:
            return len(what)
        try:
            return int(self._stream.write(what))
        except OSError as error:
            raise self._failed(error) from None

    def flush(self) -> None:
        """Write what is held back, or say why it cannot be done."""
        if self._lost or self._stream is None:
            return
        try:
            self._stream.flush()
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> OutputLost | BrokenPipeError:
        self._lost = True
        if self._stream in (sys.__stdout__, getattr(sys.__stdout__, "buffer", None)):
            nowhere = os.open(os.devnull, os.O_WRONLY)  # what Python holds back it tries to write once more at its exit
            os.dup2(nowhere, 1)
            os.close(nowhere)
        return error if isinstance(error, BrokenPipeError) else OutputLost(error.strerror or str(error))
