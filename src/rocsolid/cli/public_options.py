"""Options for publishing an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.forms import Forms
from rocsolid.cli.lists import OUTPUT, Flag, option
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PublicOptions:
    """Limits on what a public form may reveal."""

    public: Annotated[Flag, option("public")] = False
    max_exposed: Annotated[int | None, option("max_exposed")] = None
    max_posterior: Annotated[float | None, option("max_posterior")] = None
    max_bits: Annotated[float | None, option("max_bits")] = None

    def show(self, result: Evaluation, forms: Forms) -> None:
        """Write the page, and print the table or JSON, from the same rounded numbers."""
        published = result.public(
            max_exposed=self.max_exposed or 0,
            max_posterior=MAX_POSTERIOR if self.max_posterior is None else self.max_posterior,
            max_bits=self.max_bits,
        )
        forms.show(published)
