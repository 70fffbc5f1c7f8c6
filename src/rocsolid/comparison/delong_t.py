"""The default test of a difference: DeLong's variance, on Student's t with Welch's degrees."""

from __future__ import annotations

from functools import partial

import numpy as np

from rocsolid.comparison.compared import Compared, Outcome, Question
from rocsolid.comparison.delong import PAIRED, UNPAIRED, checked, student
from rocsolid.comparison.equal_samples import equal_samples
from rocsolid.comparison.omnibus import hotelling_f

SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; clusters: Obuchowski, "
    "Biometrics 53 (1997), 567-578; Welch, Biometrika 34 (1947), 28-35 (degrees of freedom)"
)


def delong_t(compared: Compared, question: Question) -> Outcome:
    """(Δ̂ − null)/√Var for each pair, with Δ̂ ± t·√Var, cut to [−1, 1].

    Var is DeLong's (S_aa + S_bb − 2S_ab on the same rows, S_a + S_b on others), and for whole AUCs
    what `unseen` rows add near 0 and 1. The reference is Student's t with Welch's degrees of
    freedom, V²/Σ(V_c²/(k_c − 1)) over the classes c of k_c rows (clusters with such rows, effective
    rows under weights), never more than there are clusters less one: a variance that rests on ten
    positives is known to nine degrees however many negatives there are. Two scores with the same
    placements have no variance: p is 1 if the difference is ``null``, and unknown otherwise. For
    partial and weighted areas the placements are replaced by each row's influence on the area.
    """
    more = compared.unseen()
    tested = []
    for i, j in compared.pairs():
        variance = checked(compared, i, j)
        if variance > 0.0:
            variance += max(float(more[i, i] + more[j, j] - 2.0 * more[i, j]), 0.0)
        df = compared.parts(i, j).df()
        tested.append(
            student(
                compared.difference(i, j), variance, None if np.isnan(df) else df, question,
                "delong-t" if compared.paired else "delong-t (unpaired)",
                PAIRED if compared.paired else UNPAIRED, SOURCE,
            )
        )  # fmt: skip
    joint = hotelling_f if compared.paired else partial(equal_samples, question=question)
    return Outcome(tested, compared, "delong-t", joint=joint)
