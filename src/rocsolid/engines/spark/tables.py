"""Queries in Spark's SQL over a dataframe, and the tables that they keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from rocsolid.dataclass import dataclass
from rocsolid.engines.spark.source import collected


@dataclass(frozen=True, slots=True)
class SparkTables:
    """See `rocsolid.engines.outcomes.OutcomeTables`; `drop` forgets the tables."""

    rows: str
    session: Any
    kept: dict[str, Any]
    total: str = "sum"

    @classmethod
    def of(cls, frame: Any) -> SparkTables:
        name = _named(frame)
        return cls(f"SELECT * FROM {name}", frame.sparkSession, {name: frame})

    def table(self, query: str) -> str:
        from pyspark import StorageLevel

        frame = self.session.sql(query).persist(StorageLevel.MEMORY_AND_DISK)
        name = _named(frame)
        self.kept[name] = frame
        return name

    def answers(self, query: str) -> Sequence[Sequence[Any]]:
        return collected(self.session.sql(query))

    def running(self, order: str) -> str:
        return f"ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"

    def drop(self) -> None:
        for name, frame in self.kept.items():
            self.session.catalog.dropTempView(name)
            frame.unpersist()


def _named(frame: Any) -> str:
    name = f"rocsolid_{uuid4().hex}"
    frame.createOrReplaceTempView(name)
    return name
