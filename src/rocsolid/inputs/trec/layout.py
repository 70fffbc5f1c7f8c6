"""What stands on a line of a run and of a file of judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a line, in order; ``value`` is the number that the file is read for."""

    kind: Literal["run", "qrels"]
    fields: tuple[str, ...]
    value: Literal["score", "relevance"]

    @property
    def shown(self) -> str:
        """The layout as a user would write it."""
        return f'"{" ".join(self.fields)}"'

    def width(self, count: int) -> int | None:
        """How many of ``count`` fields on a line are read; None if the line is not one of these.

        The tag of a run may be missing, and whatever follows it is no field: trec_eval, too,
        reads nothing after it.
        """
        most = len(self.fields)
        if self.kind == "qrels":
            return most if count == most else None
        return min(count, most) if count >= most - 1 else None


RUN = Layout("run", ("query", "Q0", "document", "rank", "score", "tag"), "score")
QRELS = Layout("qrels", ("query", "0", "document", "relevance"), "relevance")
