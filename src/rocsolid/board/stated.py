"""The answers of a board as a publication, to be judged together with public pages."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocsolid.board.defences import defence_of
from rocsolid.board.store import Settings, Store
from rocsolid.errors import InputError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import Ledger
from rocsolid.leaks.release.answered import answered
from rocsolid.leaks.release.publications import Publication, Publications, related
from rocsolid.leaks.release.record import Database
from rocsolid.leaks.release.statements import Statements


def publications(ledger: Publications) -> tuple[Publication, ...]:
    """Return the board's answers so far as one publication; none without a board.

    Each answer states the range of the AUCs that receive this answer.
    """
    database = ledger.database
    if not database.has_table("board"):
        return ()
    store = Store(database)
    settings = store.settings()
    _, _, closed = store.state()
    if store.revealed() or (closed and settings.public):
        raise _refused("it shows labels or values of private rows", "publish before the board ends")
    used, positive = settings.answered, settings.positive
    n_pos, n_neg = (int((positive[used] == label).sum()) for label in (True, False))
    rankings = store.rankings()
    weights, low, high = [np.ones(n_pos + n_neg, dtype=np.int64)], [n_pos], [n_pos]
    bits, last = 0.0, dict[str, Fraction]()
    for answer in Ledger(database, None).answers():
        defence = defence_of(settings.defence)
        inside = answered(defence, last.get(answer.account), answer.value, n_pos, n_neg)
        if inside is None:
            raise _refused("its answers do not determine a range", "use a ledger of pages alone")
        sums = inside.doubled_rank_sums(n_pos + n_neg, n_pos)
        weights.append(doubled_ranks(rankings[answer.request][used]))
        low.append(sums[0])
        high.append(sums[-1])
        bits += answer.bits
        last[answer.account] = answer.value
    ids = ledger.named(_ids_of_answers(settings))
    stated = Statements.of(
        ids, np.arange(len(ids)), np.array(weights, dtype=np.int64), np.array(low), np.array(high)
    )
    return (Publication(stated, bits),)


def pages_about(database: Database, settings: Settings) -> bool:
    """Return whether pages in the board's ledger are about rows of the board.

    A refusal publishes no number, so the board goes on; a later page is judged with both.
    """
    ledger = Publications.beside(database)
    if ledger is None:
        return False
    about = related(ledger.named(settings.ids), ledger.read())
    return any(not publication.statements.refused for publication in about)


def _ids_of_answers(settings: Settings) -> list[str]:
    return [name for name, row in zip(settings.ids, settings.answered, strict=True) if row]


def _refused(why: str, fix: str) -> InputError:
    return InputError(
        f"the answers of this board cannot be judged together with pages: {why}",
        where="ledger", fix=fix,
    )  # fmt: skip
