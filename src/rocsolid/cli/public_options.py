"""Options for publishing an evaluation."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.answer.answer import Answer
from rocsolid.cli.forms import Forms
from rocsolid.cli.lists import OUTPUT, Flag, keywords, option
from rocsolid.dataclass import dataclass


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class DisclosureLimits:
    max_exposed: Annotated[int | None, option("max_exposed")] = None
    max_posterior: Annotated[float | None, option("max_posterior")] = None
    max_bits: Annotated[float | None, option("max_bits")] = None
    ledger: Annotated[str | None, option("ledger")] = None
    id: Annotated[str | None, option("id")] = None
    prior: Annotated[str | None, option("prior")] = None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PublicOptions:
    public: Annotated[Flag, option("public")] = False
    limits: DisclosureLimits = DisclosureLimits()

    def show(self, result: Answer, forms: Forms, source: str | list[str]) -> None:
        how = keywords(self.limits)
        if self.limits.id is not None or self.limits.prior is not None:
            # judging ledgers needs 50 modules that other output does not
            from rocsolid.evaluation.public.table_in_ledger import values_of_rows

            how |= values_of_rows(source, self.limits.id, self.limits.prior)
        forms.show(result.public(**how))
