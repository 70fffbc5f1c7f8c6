"""The pictures at the head of pages, computed while the site is built.

``<!--picture NAME-->`` in a page shows a picture of this module or of `plot_pictures`.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from numpy.typing import NDArray
from plot_pictures import PAGE

import rocsolid as rs
from rocsolid.pictures.lists import NO_DATA
from rocsolid.pictures.theme import LIGHT, drawing, saved

FOLDER = Path(__file__).parent
MARKS = "osD^v"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
WIDTH, HEIGHT = 7.6, 2.9
NORMAL = NormalDist()


@functools.cache
def pictures() -> dict[str, bytes]:
    """What is in each file."""
    return {f"{name}.svg": draw() for name, (draw, _) in DRAWN.items()}


def alternatives() -> dict[str, str]:
    """What each picture shows, in words; also those of `plot_pictures`, as their page has them."""
    page = re.findall(r"!\[([^]]*)\]\(pictures/([\w-]+)\.svg\)", PAGE.read_text("utf-8"))
    return {name: words for words, name in page} | {name: alt for name, (_, alt) in DRAWN.items()}


def _near_one() -> bytes:
    settings = [
        row
        for row in _settings()
        if row["scores"] == "binormal, equal variances"
        and row["positives"] == row["negatives"] == "20"
    ]
    words = {"hinge": "certified", "auto": "default", "delong": "DeLong"}
    auc = [float(row["auc"]) for row in settings]
    lines = {label: [float(row[name]) for row in settings] for name, label in words.items()}
    return _coverage(auc, lines, "true AUC, 20 rows of each class")


def _ignored_clusters() -> bytes:
    """40 patients, half of them ill; rows of a patient share half of what is random in a score."""
    rng, repeats, sizes = np.random.default_rng(5), 150, (1, 2, 4, 8)
    truth = NORMAL.cdf(0.5**0.5)
    hits = {"patients named": [0.0] * 4, "rows taken as independent": [0.0] * 4}
    for i, size in enumerate(sizes):
        patient = np.repeat(np.arange(40), size)
        y = patient % 2
        for _ in range(repeats):
            own, shared = rng.normal(size=40 * size), rng.normal(size=40)
            score = y + (own + shared[patient]) / 2**0.5
            for words, cluster in zip(hits, (patient, None), strict=True):
                estimate = rs.auc(y, score, cluster=cluster)
                hits[words][i] += (estimate.low <= truth <= estimate.high) / repeats
    return _coverage(sizes, hits, "rows of each of 40 patients")


def _sizes() -> bytes:
    """The lowest coverage over all kinds of scores, by class sizes and AUC, of four methods."""
    rows = _settings()
    sizes = list(dict.fromkeys((row["positives"], row["negatives"]) for row in rows))
    aucs = list(dict.fromkeys(row["auc"] for row in rows))
    words = {
        "auto": "default",
        "hinge": "certified (hinge)",
        "logit-t": "logit-t",
        "delong": "DeLong",
    }
    with drawing(None, WIDTH, 6.8, NO_DATA) as first:
        figure = first.figure
        first.remove()
        panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
        for ax, (name, label) in zip(panels, words.items(), strict=True):
            lowest = {(size, auc): 1.0 for size in sizes for auc in aucs}
            for row in rows:
                at = (row["positives"], row["negatives"]), row["auc"]
                lowest[at] = min(lowest[at], float(row[name]))
            _cells(ax, np.array([[lowest[size, auc] for auc in aucs] for size in sizes]))
            ax.set_title(label, loc="left")
            ax.set_xticks(range(len(aucs)), [auc.removeprefix("0") for auc in aucs])
            ax.set_yticks(range(len(sizes)), [f"{pos} + {neg}" for pos, neg in sizes])
        figure.supxlabel("true AUC", color=LIGHT.muted, fontsize=9)
        figure.supylabel("positives + negatives", color=LIGHT.muted, fontsize=9)
        return saved(ax, "svg")


def _cells(ax: Axes, coverage: NDArray[np.float64]) -> None:
    """White where 95 % intervals cover .95; blue above, orange below, the darker the worse."""
    shades = [LIGHT.mixed(1, 0.85), LIGHT.mixed(1, 0.3), LIGHT.paper, LIGHT.mixed(0, 0.3)]
    colours = LinearSegmentedColormap.from_list(
        "coverage", list(zip((0.0, 0.45, 0.5, 1.0), shades, strict=True))
    )
    ax.imshow(coverage, cmap=colours, norm=TwoSlopeNorm(0.95, 0.0, 1.0), aspect="auto")
    ax.grid(visible=False)
    ax.tick_params(length=0)
    for (row, column), value in np.ndenumerate(coverage):
        ax.text(
            column, row, f"{value:.2f}".removeprefix("0"), ha="center", va="center", fontsize=7,
            color=LIGHT.paper if value < 0.3 else LIGHT.ink,
        )  # fmt: skip


def _settings() -> list[dict[str, str]]:
    """Read the results of the study of coverage."""
    with (FOLDER / "evidence" / "coverage.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _coverage(x: Sequence[float], lines: dict[str, list[float]], across: str) -> bytes:
    with drawing(None, WIDTH, HEIGHT, NO_DATA) as ax:
        ax.axhline(0.95, color=LIGHT.muted, linewidth=0.8, linestyle=(0, (6, 4)))
        for words, y in lines.items():
            _line(ax, x, y, words)
        _finish(ax, across, "95 % intervals that\ncontain the true AUC")
    return saved(ax, "svg")


def _wrong_labels() -> bytes:
    """An AUC of .9 as it is measured where that share of all labels is wrong."""
    wrong = np.linspace(0.0, 0.2, 41)
    with drawing(None, WIDTH, HEIGHT, NO_DATA) as ax:
        for prevalence in (0.5, 0.2, 0.05):
            ill, well = prevalence * (1 - wrong), (1 - prevalence) * (1 - wrong)
            true_alarm = ill / (ill + (1 - prevalence) * wrong)
            true_clear = well / (well + prevalence * wrong)
            measured = 0.5 + 0.4 * (true_alarm + true_clear - 1)
            _line(ax, wrong.tolist(), measured.tolist(), f"{prevalence:.0%} positive", mark="")
        _finish(ax, "share of labels that are wrong", "AUC as measured")
    return saved(ax, "svg")


def _folds() -> bytes:
    """From the table of the study: the first word of its cells."""
    heads, *rows = _table("benchmarks/coverage.md", "rows, prevalence, folds")
    with drawing(None, WIDTH, 3.3, NO_DATA) as ax:
        ax.axvline(0.95, color=LIGHT.muted, linewidth=0.8, linestyle=(0, (6, 4)))
        for i, head in enumerate(heads[1:6]):
            ax.plot(
                [float(row[i + 1].split()[0]) for row in rows],
                range(len(rows)),
                MARKS[i],
                color=LIGHT.colour(i),
                label=head.strip("`"),
            )
        ax.set_yticks(range(len(rows)), [row[0] for row in rows])
        ax.invert_yaxis()
        _finish(ax, "95 % intervals that contain the truth", heads[0].replace(", ", ",\n"))
    return saved(ax, "svg")


def _reuse() -> bytes:
    bits = list(range(0, 81, 4))
    with drawing(None, WIDTH, HEIGHT, NO_DATA) as ax:
        for rows in (100, 1_000, 10_000):
            widths = [rs.guarantees.after_reuse(0.85, rows, rows, bits=b).width / 2 for b in bits]
            _line(ax, bits, widths, f"{rows:,} rows of each class", mark="")
        ax.set_ylim(bottom=0)
        _finish(
            ax, "bits that the answers gave away", "half-width of what is\nstill certified, AUC .85"
        )
    return saved(ax, "svg")


def _certified() -> bytes:
    sizes = [round(10 ** (k / 4)) for k in range(6, 21)]
    with drawing(None, WIDTH, HEIGHT, NO_DATA) as ax:
        for auc in (0.95, 0.85, 0.7):
            low = [rs.guarantees.hinge(auc, n, n, alternative="greater").low for n in sizes]
            _line(ax, sizes, low, f"measured {auc}", mark="")
        ax.set_xscale("log")
        _finish(ax, "rows of each class", "AUC certified at 95 %")
    return saved(ax, "svg")


def _cost() -> bytes:
    """From the table of the page of benchmarks."""
    heads, *rows = _table("docs/benchmarks.md", "rows | in memory")
    with drawing(None, WIDTH, HEIGHT, NO_DATA) as ax:
        for i, head in enumerate(heads[1:], 1):
            known = [(_power(row[0]), float(row[i].split(" s")[0])) for row in rows if row[i]]
            _line(ax, [size for size, _ in known], [cost for _, cost in known], head)
        ax.set_xscale("log")
        ax.set_yscale("log")
        _finish(ax, "rows, nearly all scores different", "seconds")
    return saved(ax, "svg")


def _table(page: str, start: str) -> list[list[str]]:
    """The heads and the rows of the table of that page whose heads start so."""
    text = (FOLDER.parent / page).read_text("utf-8")
    lines = text[text.index(f"| {start}") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if "---" not in line]


def _power(words: str) -> float:
    """What is written as 3·10⁷."""
    factor, _, power = words.rpartition("10")
    return float(factor.rstrip("·") or 1) * 10.0 ** int(power.translate(SUPERSCRIPTS))


def _line(
    ax: Axes, x: Sequence[float], y: Sequence[float], words: str, *, mark: str | None = None
) -> None:
    order = len(ax.get_legend_handles_labels()[0])
    style = MARKS[order] if mark is None else mark
    dash = ("solid", (0, (6, 2)), (0, (1.5, 1.5)))[order % 3]
    ax.plot(x, y, color=LIGHT.colour(order), marker=style, linestyle=dash, label=words)


def _finish(ax: Axes, across: str, up: str) -> None:
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))


DRAWN = {
    "coverage": (
        _sizes,
        "The lowest coverage of 95 % intervals by class sizes and AUC, as shaded cells: the "
        "default and the certified interval stay above .93 everywhere; logit-t and DeLong fall "
        "far below where a class has few rows or the AUC is near 1.",
    ),
    "near-one": (
        _near_one,
        "Coverage against the true AUC with 20 rows of each class: the certified and the "
        "default interval stay above 95 %, DeLong's falls to one half.",
    ),
    "ignored-clusters": (
        _ignored_clusters,
        "Coverage against the rows of a patient: coverage stays near 95 % with "
        "patients named, and falls below 70 % with rows treated as independent.",
    ),
    "wrong-labels": (
        _wrong_labels,
        "The measured AUC of a score with a true AUC of .9 falls with the share of wrong "
        "labels, fastest where few rows are positive.",
    ),
    "folds": (_folds, "Coverage of five methods in five designs: two stay near 95 % or above it."),
    "reuse": (
        _reuse,
        "The half-width of the certified interval grows with the bits that the answers "
        "revealed, most with 100 rows of each class.",
    ),
    "certified": (
        _certified,
        "The certified AUC rises towards the measured AUC with the number of rows.",
    ),
    "cost": (
        _cost,
        "Seconds against rows in memory, in DuckDB and in Spark: nearly straight lines.",
    ),
}
