"""``rs.evaluate`` by segment: many scores and measures, and many small groups against Polars.

Polars ranks the rows within each group, of which the AUC alone follows; rocsolid gives each group's
value.

    python benchmarks/segments.py            about a minute
    python benchmarks/segments.py --quick    a tenth of the groups, and five scores
"""

from __future__ import annotations

import sys

from processor import against, figure, in_turn, seconds  # before NumPy

# isort: split
import numpy as np
import polars as pl

import rocsolid as rs

MEASURES = (
    "auc",
    "pr_auc",
    "partial_auc(fpr<=0.1)",
    "weighted_auc(power(2))",
    "sensitivity(specificity=0.9)",
)


def many_measures(scores: int, segments: int, size: int) -> None:
    """Every value and interval of all scores, measures and segments."""
    rng = np.random.default_rng(size)
    y = rng.random(size) < 0.2
    names = [f"s{i}" for i in range(scores)]
    table = {"y": y.astype(np.int64), "g": rng.integers(0, segments, size)}
    table |= {name: y + rng.normal(size=size) for name in names}

    def evaluated(*measures: str) -> list[tuple[float, float]]:
        answer = rs.evaluate(table, label="y", scores=names, by="g", measures=measures)
        return [(each.value, each.low) for each in answer.results]

    tasks = {"all": lambda: evaluated(*MEASURES)}
    tasks |= {name: lambda name=name: evaluated(name) for name in MEASURES}
    taken = in_turn(tasks, 3)
    print(
        f"{scores} scores, {segments} segments, {len(MEASURES)} measures, {size:,} rows: "
        f"{figure(min(taken['all']))} to {figure(max(taken['all']))} s with intervals"
    )
    for name in MEASURES:
        each = [seconds_of / scores / segments for seconds_of in taken[name]]
        print(f"    {name}: {seconds(each)} a segment")


def many_groups(count: int, each: int) -> None:
    """The value of each group."""
    rng = np.random.default_rng(count)
    size = count * each
    y = (rng.random(size) < 0.5).astype(np.int64)
    table = {"y": y, "s": rng.normal(size=size) + y, "g": np.repeat(np.arange(count), each)}
    frame = pl.DataFrame(table)

    def ours(measure: str) -> list[float]:
        answer = rs.evaluate(table, label="y", scores="s", by="g", measures=measure)
        return [result.value for result in answer.results]

    def theirs() -> list[float]:
        ranked = frame.with_columns(r=pl.col("s").rank("average").over("g"))
        by_group = ranked.group_by("g", maintain_order=True).agg(
            above=(pl.col("r") * pl.col("y")).sum(), m=pl.col("y").sum(), rows=pl.len()
        )
        m, n = pl.col("m"), pl.col("rows") - pl.col("m")
        return by_group.select((pl.col("above") - m * (m + 1) / 2) / (m * n)).to_series().to_list()

    taken = in_turn(
        {"Polars' rank": theirs} | {name: lambda name=name: ours(name) for name in MEASURES}, 3
    )
    for name in MEASURES:
        against(
            f"{count:,} groups of {each}, {name}",
            {"rocsolid": taken[name], "Polars' rank": taken["Polars' rank"]},
        )


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    many_measures(5 if quick else 20, 200, 100_000)
    many_groups(10_000 if quick else 100_000, 30)
