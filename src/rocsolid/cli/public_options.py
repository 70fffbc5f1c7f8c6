"""What of an evaluation may be given to others."""

from __future__ import annotations

from dataclasses import dataclass

from cyclopts import Parameter

from rocsolid.cli.forms import Forms
from rocsolid.cli.lists import OUTPUT, Flag
from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PublicOptions:
    """What may be given to others.

    Parameters
    ----------
    public
        Make output to publish: rounded until no label is certain, with a curve of a few points, and
        a statement of what it still gives away. If no rounding is enough, nothing is written and
        the exit code is 1.
    max_exposed
        With --public: how many labels may be certain, or likelier than --max-posterior. Default: 0.
    max_posterior
        With --public: how likely a label may be to somebody who has the scores and takes all
        labelings that give the output as equally likely; 1 limits certain labels alone. Default:
        0.95.
    max_bits
        With --public: how many bits about the labels may be given away on average. Default: no
        limit.
    """

    public: Flag = False
    max_exposed: int | None = None
    max_posterior: float | None = None
    max_bits: float | None = None

    def check(self, asked: dict[str, bool]) -> None:
        """Refuse what has no public form, and limits where nothing is made that could keep them.

        ``asked`` says of each option without a public form whether it was given.
        """
        given = [name for name, is_given in asked.items() if is_given]
        if self.public and given:
            raise InputError(
                f"{given[0]} has no public form: it would show more than a public report may",
                where="--public",
                fix=f"leave {given[0]} out, or leave --public out and keep the output private",
            )
        for name, value in (
            ("--max-exposed", self.max_exposed),
            ("--max-posterior", self.max_posterior),
            ("--max-bits", self.max_bits),
        ):
            if not self.public and value is not None:
                raise InputError(
                    f"{name} is a limit for what --public makes",
                    where=name,
                    value=value,
                    fix=f"add --public, or leave {name} out",
                )

    def show(self, result: Evaluation, forms: Forms) -> None:
        """The page, and the table or JSON, all of the same rounded numbers."""
        published = result.public(
            max_exposed=self.max_exposed or 0,
            max_posterior=MAX_POSTERIOR if self.max_posterior is None else self.max_posterior,
            max_bits=self.max_bits,
        )
        forms.show(published)
