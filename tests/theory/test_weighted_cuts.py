"""Default intervals of precision, recall and lift at a cut under weights: coverage and width.

1000 samples a design. A check of coverage fails when a binomial with .93 would cover as rarely with
a chance below 1e-6. The standard error may differ by 15 % from the standard deviation of the
values, which is estimated with a relative error of 2.2 %; the bias of these designs is below 5 %,
so chance alone exceeds the tolerance with a probability below 1e-5. Over 12 checks of each kind the
file raises a false alarm with a probability below 1.4e-4 over the choice of seeds, which are fixed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import bdtr, ndtr

from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of

REPEATS, ALARM = 1000, 1e-6
CUTS = ("precision@10%", "recall@10%", "lift@5%")
GRID = np.linspace(-9.0, 12.0, 400_001)


class Design(NamedTuple):
    """Scores that are normal, and a sample of the population that weights undo.

    Positives have the mean ``shift``. Rows with a score below ``limit`` are kept with the
    probability ``kept`` and weigh 1/kept. With ``tilt``, scores move with a covariate whose
    distribution the weights exp(tilt·x − tilt²/2) shift from a mean of 0 to a mean of ``tilt``.
    """

    rows: int
    positives: float
    shift: float
    limit: float = -np.inf
    kept: float = 1.0
    tilt: float = 0.0

    def draw(self, rng: np.random.Generator) -> BinaryRows:
        positive = rng.random(self.rows) < self.positives
        covariate = rng.normal(size=self.rows)
        score = 0.6 * covariate + 0.8 * rng.normal(size=self.rows) + self.shift * positive
        weight = np.where(score < self.limit, 1.0 / self.kept, 1.0)
        weight *= np.exp(self.tilt * covariate - 0.5 * self.tilt**2)
        kept = rng.random(self.rows) < np.where(score < self.limit, self.kept, 1.0)
        return BinaryRows(positive[kept], score[kept], weight[kept])

    def truth(self, measure: str) -> float:
        name, _, cut = measure.partition("@")
        share = float(cut.rstrip("%")) / 100.0
        above = GRID - 0.6 * self.tilt
        hits, alarms = ndtr(self.shift - above), ndtr(-above)
        flagged = self.positives * hits + (1.0 - self.positives) * alarms
        recall = float(np.interp(-share, -flagged, hits))
        return {
            "precision": recall * self.positives / share, "recall": recall, "lift": recall / share
        }[name]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        Design(3000, 0.1, 1.5, limit=1.0, kept=0.2),
        Design(3000, 0.1, 1.5, limit=2.5, kept=0.2),
        Design(1500, 0.3, 1.0, tilt=0.7),
        Design(1500, 0.05, 2.0, tilt=0.5),
    ],
    ids=["negatives thinned", "thinned above the cut too", "shifted", "shifted, few positives"],
)
def test_coverage(design: Design) -> None:
    rng = np.random.Generator(np.random.Philox([7, design.rows, int(100 * design.positives)]))
    truths = {name: design.truth(name) for name in CUTS}
    covered = dict.fromkeys(CUTS, 0)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in CUTS}
    for _ in range(REPEATS):
        scored = ScoredRows(design.draw(rng))
        for name, truth in truths.items():
            estimate = measure_of(name).estimate(scored, Options())
            assert estimate.std_error is not None
            found[name].append((estimate.value, estimate.std_error))
            covered[name] += estimate.low <= truth <= estimate.high
    for name, count in covered.items():
        assert bdtr(count, REPEATS, 0.93) > ALARM, (name, count)
        value, std_error = np.array(found[name]).T
        ratio = np.sqrt(np.mean(std_error**2)) / value.std()
        assert ratio == pytest.approx(1.0, abs=0.15), (name, ratio)
