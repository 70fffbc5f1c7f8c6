"""Chosen rankings whose exact AUCs are sums that name the positive rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocsolid.errors import RocsolidError
from rocsolid.leaks.attacks.host import Guess, Host
from rocsolid.leaks.chosen_queries import ChosenQueries


def subset_sums(ask: Host, rng: np.random.Generator) -> Guess:
    """`ChosenQueries`, with each answer taken for the nearest value that an AUC can have, so that
    lossless rounding does not stop it. It ends at the first answer that fits no labeling."""
    units = 2 * ask.n_pos * (ask.n - ask.n_pos)
    attack = ChosenQueries(ask.n)
    while not attack.done and ask.left:
        heard = ask(attack.next_scores())
        try:
            attack.answer(Fraction(round(heard * units), units))
        except RocsolidError:  # an answer that is not the exact AUC of any labeling
            break
    known = attack.known
    spread = rng.uniform(-1e-3, 1e-3, ask.n)
    return Guess(np.where(known < 0, ask.n_pos / ask.n, known) + spread, known)
