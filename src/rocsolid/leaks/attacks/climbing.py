"""Random changes of a ranking, kept when the released value rises; it stands a Ladder."""

from __future__ import annotations

import numpy as np

from rocsolid.leaks.attacks.host import Guess, Host


def climbing(ask: Host, rng: np.random.Generator) -> Guess:
    ranking = rng.normal(size=ask.n)
    best = ask(ranking)
    # a step must show through a rounding or a Ladder; smaller ones serve once large ones fail
    size = 1.0
    while ask.left:
        trial = ranking + size * rng.normal(size=ask.n)
        heard = ask(trial)
        if heard > best:
            ranking, best = trial, heard
        else:
            size = max(0.2, 0.99 * size)
    return Guess.of(ranking)
