"""How ranked lists are taken: a profile, changed where the user says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

from rocsolid.errors import InputError
from rocsolid.graded.by_profile import as_the_tool, head_of
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.measure_name import measures as measures_of
from rocsolid.graded.options import Empty, GradedOptions
from rocsolid.graded.profile import Profile
from rocsolid.graded.profiles import profile as profile_of
from rocsolid.graded.systems import MissingQueries
from rocsolid.inputs.grades import Negative
from rocsolid.results.plain import attributes
from rocsolid.summaries.query_lists import Ties

_OURS = Profile(name="rocsolid", tool="rocsolid", missing="zero", empty="exclude", negative="raise")


class ConventionKeywords(TypedDict, total=False):
    """The keywords of `ListConventions.of`."""

    profile: str | Profile | None
    ties: Ties | None
    missing: MissingQueries | None
    empty: Empty | None
    unjudged: Literal["zero", "condense"] | None
    negative: Negative | None


@dataclass(frozen=True, slots=True)
class ListConventions:
    """A profile, rocsolid's own unless one is named, and what a query without relevance counts."""

    profile: Profile
    empty: Empty

    @classmethod
    def of(
        cls,
        profile: str | Profile | None = None,
        *,
        ties: Ties | None = None,
        missing: MissingQueries | None = None,
        empty: Empty | None = None,
        unjudged: Literal["zero", "condense"] | None = None,
        negative: Negative | None = None,
    ) -> ListConventions:
        """The profile of that name; whatever is given beside it goes first.

        >>> way = ListConventions.of("trec_eval-9", ties="average")
        >>> way.profile.ties, way.missing, way.empty
        ('average', 'exclude', 0)
        """
        base = _OURS if profile is None else profile_of(profile)
        for name, value, known in (
            ("missing", missing, ("zero", "exclude")),
            ("unjudged", unjudged, ("zero", "condense")),
        ):
            if value not in (None, *known):
                raise InputError(
                    f"unknown {name}", where=name, value=value, fix=f"use {' or '.join(known)}"
                )
        changed = replace(
            base,
            ties=ties or base.ties,
            missing=missing or base.missing,
            unjudged=unjudged or base.unjudged,
            negative=negative or base.negative,
            evidence=dict(base.evidence),  # unlike a read-only view it can be pickled
        )
        return cls(changed, base.empty if empty is None else empty)

    @property
    def ours(self) -> bool:
        """Whether no tool was named."""
        return self.profile.name == _OURS.name

    @property
    def options(self) -> GradedOptions:
        return GradedOptions(
            ties=self.profile.ties,
            empty=self.empty,
            unjudged=self.profile.unjudged,
            negative=self.profile.negative,
        )

    @property
    def missing(self) -> MissingQueries:
        return "exclude" if self.profile.missing == "exclude" else "zero"

    @property
    def settings(self) -> dict[str, Any]:
        """What a result says of it."""
        found = self.profile
        return {
            "profile": None if self.ours else found.name,
            "ties": found.ties,
            **attributes(self, "missing empty"),
            **attributes(found, "unjudged negative ideal precision"),
        }

    def measures(
        self, asked: str | Sequence[str], top: float, relevant: float
    ) -> dict[str, GradedMeasure]:
        """The measures by the names requested, as the tool has them; one it lacks is refused.

        ``top`` is the largest grade that occurs.
        """
        in_names = replace(self.profile.in_names, relevant=relevant)
        if self.ours:  # the top of the scale is not known: the largest grade stands in for it
            in_names = replace(in_names, max=max(1.0, top))
        found = measures_of(asked, in_names)
        if not self.ours:
            for one in found.values():
                self.profile.check_measure(head_of(one))
        return {name: as_the_tool(one, self.profile) for name, one in found.items()}
