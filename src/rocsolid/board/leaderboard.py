"""A leaderboard in one file: the labels, the defence, the ledger and the host's commitment."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np

from rocsolid.board.access import Access
from rocsolid.board.answers import meaning, rule
from rocsolid.board.defences import defence_of, usual_defence
from rocsolid.board.receipts import Receipt, first_link, next_link, seal, with_key
from rocsolid.board.receipts import committed as commitment
from rocsolid.board.score_file import numbered, public_key, public_rows, scores_of
from rocsolid.board.score_file import sign as signed
from rocsolid.board.standings import LEVEL, counted, final_bits, final_standings, standings
from rocsolid.board.stated import pages_about
from rocsolid.board.store import Settings, Store, marks, ranking_hash
from rocsolid.engines.memory import refuse_one_class
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs import positives, read_table
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.row_ids import row_ids
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import (
    Answer,
    Gate,
    Ledger,
    Past,
    ReleasedAnswer,
    check_ranking,
    submission,
)
from rocsolid.leaks.release.answered import improved, is_known
from rocsolid.leaks.release.gate import request_of
from rocsolid.leaks.replay import Replay, replay_ledger
from rocsolid.results import Alternative, Interval
from rocsolid.results.plain import plain

FORMAT = "rocsolid board 1"
_SPENT = ("most_bits", "most_bits_budget", "rho", "rho_budget", "releases_per_account")


class BoardClosed(RocsolidError):
    """An error: the host has paused or ended the contest, so the board accepts no file."""


class Leaderboard:
    """A leaderboard that answers teams through a defence and proves at the end that it was fair.

    ``path`` is a file or the address of an empty PostgreSQL database (``postgresql://…``). Several
    processes may open the same board, and several threads may share one object. Keep the file or
    database as secret as the labels, which it contains.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ecg.board"
    >>> truth = {"id": list("abcdef"), "ill": [0, 1, 0, 1, 1, 0]}
    >>> with Leaderboard.create(path, truth, label="ill", id="id", defence="Rounded(2)") as board:
    ...     receipt = board.submit("ann", {"id": list("fedcba"), "score": [2, 9, 3, 7, 8, 1]})
    >>> receipt.value, receipt.number
    ('89/100', 1)
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        name = fspath(path)
        self._ledger = Ledger.open(name)
        self._store = Store(self._ledger.database)
        self.access = Access(self._ledger.database)
        self._pages = False
        try:
            self.settings = self._store.settings()
            self._defence = defence_of(self.settings.defence)
            self._answered = self.settings.answered
            self._store.upgrade(self._answered)
            self._positive = self.settings.positive[self._answered]
            self._n_pos = int(self._positive.sum())
            self._n_neg = len(self._positive) - self._n_pos
            self._row_of = numbered(self.settings.ids)
            self._gate = Gate(self._positive, defence=self._defence, ledger=self._ledger)
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(
        cls,
        path: str | PathLike[str],
        labels: Any,
        *,
        label: str,
        id: str,
        score: str = "score",
        defence: str | None = None,
        pos_label: Any = None,
        most_bits: float | None = None,
        rho: float | None = None,
        per_account: int | None = None,
        public: float | str | None = None,
        sign: bool = False,
    ) -> Leaderboard:
        """Create a board in a file that must not exist yet.

        ``labels`` is a table with a column of row names, ``id``, and a column of labels, ``label``.
        Submissions have the columns ``id`` and ``score``. ``defence`` is written as in Python; the
        default is `usual_defence`. The budgets are those of a `Ledger`.

        ``public`` splits the rows. A number is the share of each class that is drawn at random for
        answers. A string is the name of a column with the values "public" and "private". No answer
        uses the private rows, which decide the final standings. With ``sign``, receipts carry
        Ed25519 signatures that anyone can check before the labels are revealed. Signatures need the
        package cryptography.
        """
        split = [public] if isinstance(public, str) else []
        table = read_table(labels, labels=[label], keys=[id, *split])
        positive = positives(
            table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows
        )
        refuse_one_class(int(positive.sum()), int((~positive).sum()))
        answered = np.ones_like(positive)
        if public is not None:
            answered = public_rows(positive, table[public] if isinstance(public, str) else public)
        n_pos, n_neg = (
            int((answered & (positive == of_class)).sum()) for of_class in (True, False)
        )
        text = usual_defence(n_pos, n_neg) if defence is None else defence
        ids = row_ids(table[id], f"column {id!r}")
        # in a file sorted by label, the order of the rows reveals labels: hashes of rankings use it
        order = sorted(range(len(ids)), key=ids.__getitem__)
        settings = Settings(
            text,
            id,
            score,
            [ids[row] for row in order],
            marks(positive[order]),
            secrets.token_hex(32),
            secrets.token_hex(32),
            "" if answered.all() else marks(answered[order]),
            secrets.token_hex(32) if sign else "",
        )
        if sign:
            public_key(bytes.fromhex(settings.secret))  # fails now, not at the first answer
        budgets = {"most_bits": most_bits, "rho": rho, "per_account": per_account}
        Store.make(fspath(path), settings, defence_of(text), **budgets)
        return cls(path)

    @cached_property
    def commitment(self) -> str:
        """The commitment to publish before the first answer (`receipts.committed`)."""
        signer = self.signer
        return with_key(signer["rest"], signer["public_key"]) if signer else self._committed

    @cached_property
    def signer(self) -> dict[str, str] | None:
        """The public key of the signatures, and the hash that ties the key to the commitment."""
        if not self.settings.secret:
            return None
        return {
            "public_key": public_key(bytes.fromhex(self.settings.secret)),
            "rest": self._committed,
        }

    @cached_property
    def _committed(self) -> str:
        fixed = self.settings
        return commitment(
            bytes.fromhex(fixed.salt),
            bytes.fromhex(fixed.key),
            fixed.ids,
            fixed.labels,
            fixed.defence,
            fixed.public,
        )

    def submit(self, team: str, source: Any) -> Receipt:
        """Answer a table of scores, and return the receipt.

        The table is checked without the labels. One transaction computes, charges and stores the
        answer, and is on disk before this method returns. The same ranking from the same team gets
        the same answer and receipt. An answer that follows from earlier answers about the same
        ranking, to any team, costs no bits.
        """
        fixed = self.settings
        doubled = doubled_ranks(scores_of(source, self._row_of, key=fixed.id, score=fixed.score))
        ranks = doubled_ranks(doubled[self._answered]) if fixed.public else doubled
        check_ranking(ranks)  # ties among private rows alone do not matter
        last: Fraction | None = None

        def decide(past: Past) -> Answer:
            if closed:
                raise BoardClosed("the contest is over, so this board accepts no more files")
            if frozen:
                raise BoardClosed("the host has paused this board", fix="wait until it is opened")
            nonlocal last
            last = past.last
            charged = replace(past, releases=self._ledger.charged_to(team))
            answer = self._defence.answer(scored, charged)
            earlier = [self._values(request) for request in self._store.requests_for(public)]
            if is_known(self._defence, earlier, past, scored.n_pos, scored.n_neg):
                return replace(answer, most_bits=0.0)
            # a refusal that depended on the answer would itself reveal labels
            if self._has_pages():
                raise BoardClosed(
                    "the host has published results about these rows, so this board gives no new "
                    "answers"
                )
            return answer

        scored, public = submission(self._positive, ranks), ranking_hash(ranks)
        with self._ledger.database.transaction():
            self.access.check_team(team)
            request = request_of(team, doubled)
            count, frozen, closed = self._store.state()
            self._ledger.release(team, request, decide)
            number, answer = self._ledger.answer_to(request)
            if number > count:
                link = next_link(self._link(number - 1), number, answer)
                self._store.keep(request, doubled, public, link)
            else:
                link = self._link(number)
                last = self._ledger.value_before(team, number)
            self.access.count_upload(team)
            return self._receipt(number, answer, link, last)

    def _has_pages(self) -> bool:
        """Return whether pages about the board's rows are in its ledger; they are never removed."""
        self._pages = self._pages or pages_about(self._ledger.database, self.settings)
        return self._pages

    def _values(self, request: str) -> tuple[Fraction | None, Fraction]:
        """Return the values of the team's previous answer and of the answer to a request."""
        number, answer = self._ledger.answer_to(request)
        return self._ledger.value_before(answer.account, number), answer.value

    def receipts(self, team: str) -> list[Receipt]:
        with self._ledger.database.transaction():
            own, links = self._ledger.answers_to(team), self._store.links()
        previous = [None, *(answer.value for _, answer in own)]
        return [
            self._receipt(number, answer, links[answer.request], last)
            for (number, answer), last in zip(own, previous, strict=False)
        ]

    @property
    def rule(self) -> str:
        """The answering rule of the defence, described for participants."""
        return rule(self._defence)

    @property
    def state(self) -> tuple[int, bool, bool]:
        """The number of answers, and whether the board is frozen and closed."""
        return self._store.state()

    @property
    def version(self) -> list[tuple[Any, ...]]:
        """Facts that change whenever the results of `to_dict`, `record` and `replay` change."""
        return self._store.version()

    def freeze(self, frozen: bool = True) -> None:
        """Pause new answers until ``freeze(False)``."""
        self._store.freeze(frozen)

    @property
    def revealed(self) -> bool:
        """Whether the labels were revealed."""
        return self._store.revealed()

    def end(self) -> None:
        """End the contest permanently: later uploads and choices do not count.

        The final standings are shown from now on. The labels stay secret until `reveal`. If private
        rows decide the standings, a board with pages about its rows in its ledger is refused.
        """
        with self._ledger.database.transaction():
            if self.settings.public and self._has_pages():
                raise InputError(
                    "the values of private rows could expose labels together with the pages about "
                    "these rows in the board's ledger",
                    where=self._ledger.database.shown,
                    fix="reveal the labels: `rocsolid board export --reveal`",
                )
            self._store.end()

    def reveal(self) -> None:
        """End the contest permanently. From now on `record` may include labels and all rankings."""
        self._store.reveal()

    def choose(self, team: str, number: int) -> None:
        """Select the answer whose file counts in the final standings, instead of the team's best.

        A later choice replaces an earlier choice. The record shows all choices.
        """
        with self._ledger.database.transaction():
            if self._store.state()[2]:
                raise BoardClosed("the contest is over, so no team can choose any more")
            own = [answer for answer, _ in self._ledger.answers_to(team)]
            if number not in own:
                raise InputError(
                    "the team has no answer with this number",
                    where="number",
                    value=number,
                    fix=f"choose among {listed(own, 9)}" if own else "submit first",
                )
            self._store.choose(team, number)

    def choices(self) -> dict[str, int]:
        """Return the number of the answer that each team chose, for the teams that chose."""
        return self._store.choices()

    def counting(self, team: str) -> int | None:
        """Return the number of the team's answer whose file counts in the final standings.

        The counting answer is the chosen answer, or else the first of the team's best. The result
        is `None` before the first answer.
        """
        own = self._ledger.answers_to(team)
        best = counted([answer for _, answer in own], {}).get(team)
        return self.choices().get(team, None if best is None else own[best - 1][0])

    def spent(self) -> dict[str, Any]:
        """Return the cost of all answers, and its budgets.

        The bits are the ledger's charges, up to the bits that determine every label.
        """
        ledger = self._ledger.to_dict()
        spent = {name: ledger[name] for name in _SPENT}
        return spent | {"most_bits": min(spent["most_bits"], self._label_bits)}

    @property
    def _label_bits(self) -> float:
        return log2_comb(len(self._positive), self._n_pos)

    def certificate(
        self, source: Any, delta: float = 0.05, alternative: Alternative = "two-sided"
    ) -> Interval:
        """Certify a source of scores, to publish after the last answer; see `Gate.certificate`."""
        fixed = self.settings
        scores = scores_of(source, self._row_of, key=fixed.id, score=fixed.score)
        return self._gate.certificate(scores[self._answered], delta, alternative)

    def replay(self) -> Replay:
        """Return the bits that the answers revealed, and the submissions that look like probes."""
        kept = {request: ranks[self._answered] for request, ranks in self._store.rankings().items()}
        answers, n = self._ledger.answers(), len(self._positive)
        return replay_ledger(answers, self._defence, n, self._n_pos, kept)

    def to_dict(self) -> dict[str, Any]:
        """Return the public state of the board: the standings and the budgets.

        Until the contest is over, this state depends on the answers, the class sizes and the
        settings alone. Afterwards it includes the final standings, which are rounded until the
        labels are revealed.
        """
        return self._shown()[0]

    def record(self, *, reveal: bool = False) -> dict[str, Any]:
        """Return every answer, the chain and the standings, for `verify`.

        With ``reveal``, the record also contains the labels, the salt, the key and all rankings, so
        that anyone can check everything. Revealing ends the contest permanently.
        """
        if reveal:
            self.reveal()
        shown, answers = self._shown()
        shown |= {
            "told": [
                {
                    "at": release.at,
                    "team": release.account,
                    "request": release.request,
                    "value": str(release.value),
                }
                for release in answers
            ],
            "head": self._link(len(answers)),
            "chosen": self.choices(),
            "signer": self.signer,
            "revealed": None,
        }
        if reveal:
            kept = self._store.rankings()
            fixed = asdict(self.settings)
            shown["revealed"] = {
                **{name: fixed[name] for name in ("salt", "key", "ids", "labels", "public")},
                "rankings": {answer.request: kept[answer.request].tolist() for answer in answers},
            }
        return shown

    def _shown(self) -> tuple[dict[str, Any], tuple[ReleasedAnswer, ...]]:
        with self._ledger.database.transaction():
            answers, spent = self._ledger.answers(), self.spent()
            _, frozen, closed = self._store.state()
            revealed = self._store.revealed()
        teams = standings(answers, self._defence, self._n_pos, self._n_neg)
        return {
            "format": FORMAT,
            "commitment": self.commitment,
            "n_pos": self._n_pos,
            "n_neg": self._n_neg,
            "defence": self.settings.defence,
            "frozen": frozen,
            "closed": closed,
            "labels_revealed": revealed,
            "answers": len(answers),
            "rule": self.rule,
            "label_bits": self._label_bits,
            **spent,
            "level": LEVEL,
            "standings": plain(teams),
            "private_rows": int((~self._answered).sum()),
            **self._final(answers, revealed, closed and bool(self.settings.public)),
        }, answers

    def _final(
        self, answers: Sequence[ReleasedAnswer], revealed: bool, known: bool
    ) -> dict[str, Any]:
        if not known:
            return {"final": None, "final_bits": None}
        positive = self.settings.positive
        final = final_standings(
            answers, self.choices(), self._store.rankings(), positive, self._answered, revealed
        )
        bits = None if revealed else final_bits(len(final), positive[~self._answered])
        return {"final": plain(final), "final_bits": bits}

    def _link(self, number: int) -> str:
        link = self._store.link(number) if number else first_link(self.commitment)
        if link is None:
            raise InputError("the chain of this board has a gap", value=number)
        return link

    def _receipt(
        self, number: int, answer: ReleasedAnswer, link: str, last: Fraction | None
    ) -> Receipt:
        fixed = self.settings
        return Receipt(
            self.commitment,
            number,
            answer.at,
            answer.account,
            answer.request,
            str(answer.value),
            link,
            signed(bytes.fromhex(fixed.secret), link)
            if fixed.secret
            else seal(bytes.fromhex(fixed.key), link),
            improved(self._defence, last, answer.value),
            meaning(self._defence, last, answer.value),
        )

    def close(self) -> None:
        self._ledger.close()

    def __enter__(self) -> Leaderboard:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
