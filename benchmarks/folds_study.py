"""Do intervals and tests of cross-validated AUCs hold? Prints tables, on demand.

    python benchmarks/folds_study.py [--repeats 1000]

Nominal 95 % and 5 %. The truth is the mean true AUC of the models of the folds, by formula for
linear models and from 4,000 fresh rows for others; for the learner it is the mean of these over all
repeats. Features are normal with unit variance and a shift between classes that is the same in
each; every line has its own random stream.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri, stdtrit

from rocsolid.comparison.cross_validated import cross_validated
from rocsolid.intervals.guarantees import hinge
from rocsolid.measures.whole_area import WholeArea

Floats = NDArray[np.float64]
Fitted = Callable[[Floats], Floats]
Learner = Callable[[Floats, Floats], Fitted]

AUC, FEATURES, FRESH = WholeArea(), 10, 2000
Z = float(ndtri(0.975))


class Linear:
    """A score whose true AUC is known where the features are normal."""

    def __init__(self, slopes: Floats, used: slice) -> None:
        self.slopes, self.used = slopes, used

    def __call__(self, x: Floats) -> Floats:
        return x[:, self.used] @ self.slopes

    def truth(self, shift: Floats) -> float:
        along = float(shift[self.used] @ self.slopes)
        return float(ndtr(along / math.sqrt(2.0) / np.linalg.norm(self.slopes)))


def logistic(used: slice = slice(None)) -> Learner:
    """Logistic regression with a ridge of 1 on the slopes, as scikit-learn's, by Newton's steps."""

    def fit(x: Floats, y: Floats) -> Fitted:
        rows = np.column_stack([x[:, used], np.ones(len(x))])
        ridge = np.append(np.ones(rows.shape[1] - 1), 0.0)
        slopes = np.zeros(rows.shape[1])
        for _ in range(8):
            chance = expit(rows @ slopes)
            curve = (rows * (chance * (1.0 - chance) + 1e-9)[:, None]).T @ rows + np.diag(ridge)
            slopes = slopes - np.linalg.solve(curve, rows.T @ (chance - y) + ridge * slopes)
        return Linear(slopes[:-1], used)

    return fit


def neighbours(x: Floats, y: Floats) -> Fitted:
    """The share of positives among the 15 nearest rows: heavy ties."""

    def score(new: Floats) -> Floats:
        far = (x**2).sum(axis=1) - 2.0 * new @ x.T
        return np.asarray(y[np.argpartition(far, 15, axis=1)[:, :15]].mean(axis=1))

    return score


def boosted(x: Floats, y: Floats) -> Fitted:
    """Gradient boosting of the logistic loss: 50 stumps at deciles, learning rate .3."""
    cuts = np.quantile(x, np.linspace(0.1, 0.9, 9), axis=0)
    above = np.concatenate([x > cut for cut in cuts], axis=1).astype(float)
    centred = above - above.mean(axis=0)
    spread = np.maximum((centred**2).sum(axis=0), 1e-9)
    total, steps = np.full(len(y), math.log(y.mean() / (1.0 - y.mean()))), np.zeros(len(spread))
    for _ in range(50):
        chance = expit(total)
        gain = centred.T @ (y - chance)
        best = int(np.argmax(gain**2 / spread))
        step = 0.3 * gain[best] / spread[best] / float((chance * (1.0 - chance)).mean())
        steps[best] += step
        total = total + step * centred[:, best]
    return lambda new: np.concatenate([new > cut for cut in cuts], axis=1) @ steps


class Data:
    """One data set, its folds, and out-of-fold scores of a learner with the models' true AUCs."""

    def __init__(
        self, rng: np.random.Generator, rows: int, prevalence: float, folds: int, auc: float
    ) -> None:
        pos = round(rows * prevalence)
        self.y = (np.arange(rows) < pos).astype(float)
        self.shift = np.full(FEATURES, math.sqrt(2.0 / FEATURES) * float(ndtri(auc)))
        self.x = rng.normal(size=(rows, FEATURES)) + self.y[:, None] * self.shift
        self.fold = np.arange(rows) % folds
        self.new = rng.normal(size=(2 * FRESH, FEATURES))
        self.new[:FRESH] += self.shift

    def truth(self, model: Fitted) -> float:
        if isinstance(model, Linear):
            return model.truth(self.shift)
        score = model(self.new)
        return float(placed(score[:FRESH], score[FRESH:])[0].mean())

    def scored(self, learner: Learner, progressive: bool = False) -> tuple[Floats, float]:
        scores, truths = np.full(len(self.y), np.nan), []
        for fold in range(int(progressive), int(self.fold.max()) + 1):
            seen = self.fold < fold if progressive else self.fold != fold
            model = learner(self.x[seen], self.y[seen])
            scores[self.fold == fold] = model(self.x[self.fold == fold])
            truths.append(self.truth(model))
        return scores, float(np.mean(truths))


def placed(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """V10 and V01."""
    order = np.sort(neg)
    v10 = (np.searchsorted(order, pos) + np.searchsorted(order, pos, "right")) / (2.0 * len(neg))
    order = np.sort(pos)
    v01 = (np.searchsorted(order, neg) + np.searchsorted(order, neg, "right")) / (2.0 * len(pos))
    return v10, 1.0 - v01


def others(data: Data, scores: Floats) -> dict[str, tuple[float, float]]:
    """What is used elsewhere: value and half a width."""
    folds = int(data.fold.max()) + 1
    values, variance = np.empty(folds), 0.0
    for fold in range(folds):
        at = data.fold == fold
        v10, v01 = placed(scores[at & (data.y == 1)], scores[at & (data.y == 0)])
        values[fold] = v10.mean()
        variance += v10.var() / len(v10) + v01.var() / len(v01)
    v10, v01 = placed(scores[data.y == 1], scores[data.y == 0])
    pooled = math.sqrt(v10.var(ddof=1) / len(v10) + v01.var(ddof=1) / len(v01))
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    wider = math.sqrt(1.0 / folds + 1.0 / (folds - 1.0))
    return {
        "naive": (mean, Z * spread / math.sqrt(folds)),
        "corrected": (mean, float(stdtrit(folds - 1, 0.975)) * wider * spread),
        "ledell": (mean, Z * math.sqrt(variance) / folds),
        "pooled": (float(v10.mean()), Z * pooled),
    }


def covered(
    rng: np.random.Generator, repeats: int, design: tuple[int, float, int, float], learner: Learner
) -> str:
    """A line of the first table."""
    names = ("naive", "corrected", "ledell", "pooled")
    hit = dict.fromkeys((*names, "models", "learner"), 0)
    width = dict.fromkeys(hit, 0.0)
    truths, ends, bias = [], [], 0.0
    for _ in range(repeats):
        data = Data(rng, *design)
        scores, truth = data.scored(learner)
        for name, (centre, half) in others(data, scores).items():
            hit[name] += abs(centre - truth) <= half
            width[name] += 2.0 * half / repeats
        found = cross_validated(data.y, scores, fold=data.fold, measure=AUC)
        hit["models"] += truth in found.interval
        width["models"] += found.interval.width / repeats
        assert found.learner is not None
        assert found.pooled is not None
        ends.append((found.learner.low, found.learner.high))
        width["learner"] += found.learner.width / repeats
        bias += (found.pooled.value - truth) / repeats
        truths.append(truth)
    expected = float(np.mean(truths))
    hit["learner"] = sum(low <= expected <= high for low, high in ends)
    share = {name: count / repeats for name, count in hit.items()}
    cells = [f"{share['naive']:.3f}"]
    cells += [f"{share[name]:.3f} ({width[name]:.3f})" for name in ("corrected", "ledell")]
    cells += [
        f"{share['pooled']:.3f} ({bias:+.3f})",
        f"{share['models']:.3f} ({width['models']:.3f})",
        f"{width['models'] / width['ledell']:.2f}",
        f"{share['learner']:.3f} ({width['learner']:.3f})",
    ]
    return " | ".join(cells)


def paired(
    rng: np.random.Generator, repeats: int, design: tuple[int, float, int, float],
    learners: tuple[Learner, Learner],
) -> str:  # fmt: skip
    """How often the test, and the corrected resampled t, find a difference."""
    found = np.zeros(2)
    for _ in range(repeats):
        data = Data(rng, *design)
        scores = {name: data.scored(one)[0] for name, one in zip("ab", learners, strict=True)}
        compared = cross_validated(data.y, scores, fold=data.fold, measure=AUC)
        p = compared.pairs[0].p_value, compared.corrected_t[0].p_value
        found += np.array(p) < 0.05
    return " | ".join(f"{share:.3f}" for share in found / repeats)


def certified(rng: np.random.Generator, repeats: int, design: tuple[int, float, int, float]) -> str:
    """Misses and widths of the certified intervals, beside hinge on as many fresh rows."""
    missed, widths = np.zeros(2), np.zeros(3)
    for _ in range(repeats):
        data = Data(rng, *design)
        for at, order in enumerate(("progressive", "any")):
            scores, truth = data.scored(logistic(), progressive=order == "progressive")
            kept = ~np.isnan(scores)
            found = cross_validated(
                data.y[kept], scores[kept], fold=data.fold[kept], measure=AUC, order=order
            )
            assert found.certified is not None
            missed[at] += truth not in found.certified
            widths[at] += found.certified.width / repeats
            if order == "progressive":
                fresh = hinge(found.value, found.n_pos, found.n_neg)
                widths[2] += fresh.width / repeats
    return (
        f"{missed[0]:.0f} ({widths[0]:.3f}) | {widths[2]:.3f} | {missed[1]:.0f} ({widths[1]:.3f})"
    )


TABLE = ((100, 0.3, 5), (100, 0.3, 10), (300, 0.1, 5), (300, 0.1, 10), (1000, 0.1, 5))
LOGISTIC = (
    *((100, 0.3, 5, 0.5), (100, 0.3, 5, 0.6), (100, 0.3, 5, 0.9), (100, 0.3, 5, 0.97)),
    *((60, 1 / 3, 5, 0.8), (100, 0.5, 10, 0.8), (600, 0.05, 5, 0.8), (1000, 0.2, 10, 0.9)),
)
FIRST, LAST = logistic(slice(0, 5)), logistic(slice(5, 10))


def tables(repeats: int) -> Iterator[str]:
    def stream(*key: int) -> np.random.Generator:
        return np.random.default_rng([*key])

    heads = (
        "| rows, prevalence, folds, best AUC | mean ± 1.96 sd/√K | corrected t | LeDell | pooled, "
        "DeLong (bias) | folds | times LeDell | learner |\n" + "|---" * 8 + "|"
    )
    lines = (
        ("logistic regression", logistic(), [(*one, 0.8) for one in TABLE]),
        ("logistic regression, other designs", logistic(), LOGISTIC),
        ("15 nearest neighbours", neighbours, [(*one, 0.8) for one in TABLE]),
        ("boosted stumps", boosted, [(*one, 0.8) for one in TABLE]),
    )
    for number, (title, learner, designs) in enumerate(lines):
        yield f"\n### Coverage at 95 % (and width), {title}, {repeats:,} repeats\n\n{heads}"
        for at, design in enumerate(designs):
            cells = covered(stream(1, number, at), repeats, design, learner)
            yield f"| {', '.join(f'{x:.3g}' for x in design)} | {cells} |"
    yield f"\n### Two learners at 5 %, {repeats:,} repeats\n"
    yield "| | rows, prevalence, folds, best AUC | folds-t | corrected t |\n|---|---|---|---|"
    pairs = (
        ("equal", (FIRST, LAST), 0.8), ("equal, both useless", (FIRST, LAST), 0.5),
        ("all features against half", (logistic(), FIRST), 0.9),
    )  # fmt: skip
    for number, (title, learners, auc) in enumerate(pairs):
        for at, design in enumerate(TABLE):
            cells = paired(stream(2, number, at), repeats, (*design, auc), learners)
            yield f"| {title} | {', '.join(f'{x:.3g}' for x in (*design, auc))} | {cells} |"
    yield f"\n### Certified at 95 %: misses in {repeats:,} repeats (and width)\n"
    yield "| rows, prevalence, folds, best AUC | progressive | hinge, fresh rows | folds |"
    yield "|---|---|---|---|"
    for at, design in enumerate(((200, 0.5, 5), (300, 0.3, 10), (2000, 0.2, 10))):
        cells = certified(stream(3, at), repeats, (*design, 0.8))
        yield f"| {', '.join(f'{x:.3g}' for x in (*design, 0.8))} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000)
    for text in tables(parser.parse_args().repeats):
        print(text, flush=True)


if __name__ == "__main__":
    main()
