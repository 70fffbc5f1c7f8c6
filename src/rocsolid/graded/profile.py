"""The conventions that determine a measure's value besides its formula."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.discounts.discount import SHORT_NAMES as DISCOUNTS
from rocsolid.discounts.discount import Discount, as_discount, exponential, log2, power
from rocsolid.errors import InputError
from rocsolid.gains.gain import SHORT_NAMES as GAINS
from rocsolid.gains.gain import Gain, as_gain, linear
from rocsolid.graded.discounted import Ideal
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.graded_rows import Negative, Unjudged
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.parameters import Empty
from rocsolid.results.plain import attributes, written
from rocsolid.summaries.groups import Ties

MissingQueries = Literal["zero", "exclude", "error"]
"""A judged query that a run lacks counts 0, is excluded, or is an error."""

ORDER = {
    "missing": "missing queries",
    "empty": "empty queries",
    "gain": "gain",
    "discount": "discount",
    "ties": "ties",
    "ideal": "ideal list",
    "unjudged": "unjudged",
    "precision": "scores",
    "negative": "negative grades",
    "short": "list shorter than k",
    "top": "top grade for ERR",
}
"""The conventions in the order in which an explanation switches them, with their labels."""

_WORDS: dict[str, dict[Any, str]] = {
    "missing": {"zero": "count 0", "exclude": "left out", "error": "refused"},
    "empty": {"exclude": "left out", 0: "count 0", 1: "count 1"},
    "ties": {
        "average": "averaged",
        "trec": "greater id first",
        "rank": "rank column",
        "input": "order of the file",
    },
    "ideal": {"judged": "all judged", "retrieved": "retrieved only"},
    "unjudged": {"zero": "gain 0", "condense": "taken out"},
    "negative": {"raise": "refused", "zero": "grade 0", "unjudged": "unjudged"},
    "short": {"pad": "as it is", "zero": "counts 0"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The conventions of a tool, or of the user, for ranked lists and their measures.

    - ``missing``: a judged query that is not in the run counts 0 ("zero"), is excluded ("exclude")
      or stops the tool ("error"). ``empty``: a query without a relevant document is excluded,
      counts 0 or 1, or is an error.
    - Options that the name of a measure may leave open: ``gain`` and ``discount`` of DCG and NDCG;
      ``top``, the top of the scale of grades for ERR; ``relevant``, the lowest relevant grade; and
      ``p``, the persistence of rank-biased precision.
    - ``ties``: the order of documents with equal scores.
    - ``ideal``: whether judged documents that the run lacks count ("judged") or not ("retrieved"),
      in ideal lists and in the number of relevant documents.
    - ``unjudged``: a document without a grade has gain 0, is removed from the list or is rejected.
      ``negative``: a grade below 0 is rejected, 0, or no judgement.
    - ``precision``: the type of floats in comparisons of scores.
    - ``short``: for a list with fewer than k documents, nDCG@k pads the list with documents of gain
      0 ("pad"), or counts 0 ("zero").
    - ``digits``: the decimals that the tool prints; ``None`` for all.
    - ``measures``: the first parts of the names of measures that the tool computes in this way.
    - ``grades``: the largest grade that the tool accepts; ``lengths``: the fewest and the most
      documents in a list that it accepts. Beyond these the value is that of its formula.

    ``evidence`` gives the source of each convention.
    """

    name: str
    tool: str
    missing: MissingQueries = "exclude"
    empty: Empty = 0
    gain: Gain = field(default_factory=linear)
    discount: Discount = field(default_factory=log2)
    ties: Ties = "average"
    ideal: Ideal = "judged"
    unjudged: Unjudged = "zero"
    negative: Negative = "zero"
    precision: Literal["float64", "float32"] = "float64"
    short: Literal["pad", "zero"] = "pad"
    top: float = 4
    relevant: float = 1
    p: float = 0.8
    digits: int | None = 4
    measures: tuple[str, ...] = ("nDCG",)
    grades: float | None = None
    lengths: tuple[int, int | None] = (1, None)
    evidence: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False, hash=False)

    def __post_init__(self) -> None:
        # True and 1.0 equal 1
        if isinstance(self.empty, bool | float) or self.empty not in get_args(Empty):
            raise InputError(
                "unknown empty",
                where="empty",
                value=self.empty,
                fix='use "exclude", 0, 1 or "error"',
            )

    @property
    def ours(self) -> bool:
        return self.name == "rocsolid"

    @property
    def settings(self) -> dict[str, Any]:
        missing = "exclude" if self.missing == "exclude" else "zero"
        return {
            "profile": None if self.ours else self.name,
            "ties": self.ties,
            "missing": missing,
            **attributes(self, "empty unjudged negative ideal precision"),
        }

    def says(self, convention: str) -> str:
        """Return the tool's side of a convention in a few words.

        >>> Profile(name="mine", tool="my own").says("ties")
        'averaged'
        """
        value = getattr(self, convention)
        if convention in ("gain", "discount"):
            return str(value.name)
        if convention == "top":
            return f"{value:g}"
        return _WORDS.get(convention, {}).get(value, str(value))

    def counted(
        self, values: NDArray[np.float64], undefined: NDArray[np.bool_], qids: Any, without: str
    ) -> NDArray[np.float64]:
        """Return the values of the queries, with the rule for undefined values applied.

        ``without`` is what a query without a value lacks, usually a relevant document.
        """
        if self.empty == "exclude" or not undefined.any():
            return values
        if self.empty == "error":
            raise InputError(
                f"a query has no {without}",
                where=f"qid {listed(qids[undefined].tolist(), 3)}",
                fix='leave such queries out with empty="exclude", or let them count 0 or 1',
            )
        return np.where(undefined, float(self.empty), values)

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as data for JSON, with the evidence."""
        names = f"name tool {' '.join(ORDER)} digits measures grades lengths evidence"
        return written(self, names) | {"gain": self.gain.name, "discount": self.discount.name}

    def __str__(self) -> str:
        lines = [self.tool]
        for name, label in ORDER.items():
            known = self.evidence.get(name)
            lines.append(f"  {label:20}{self.says(name)}" + (f" ({known})" if known else ""))
        printed = "all digits" if self.digits is None else f"{self.digits} digits"
        return "\n".join([*lines, f"  {'printed':20}{printed}"])

    def check_measure(self, head: str) -> None:
        """Reject a measure that the tool lacks, or computes in a way that is not reproduced.

        >>> Profile(name="gdeval", tool="gdeval").check_measure("bpref")
        Traceback (most recent call last):
        rocsolid.errors.InputError: gdeval has no such measure, or computes it in a way that is not
        reproduced: 'bpref' (measure). Fix: use nDCG, or another profile.
        """
        if head not in self.measures:
            raise InputError(
                f"{self.tool} has no such measure, or computes it in a way that is not reproduced",
                where="measure",
                value=head,
                fix=f"use {' or '.join(self.measures)}, or another profile",
            )


OURS = Profile(name="rocsolid", tool="rocsolid", missing="zero", empty="exclude", negative="raise")
"""The defaults without a tool."""


_NUMBER = r"([0-9.]+(?:e[-+]?[0-9]+)?)"
_SETTING = re.compile(r"([a-z_]+)\s*(=|>=|≥)\s*(.+)", re.IGNORECASE)
_CALL = re.compile(rf"(power|exponential)\s*\(\s*{_NUMBER}\s*\)", re.IGNORECASE)
_TABLE = re.compile(r"table\s*\((.*)\)", re.IGNORECASE)


def with_options(
    profile: Profile, parts: Sequence[str], allowed: Sequence[str], text: str
) -> Profile:
    """Return the profile changed by the options in a name; ``allowed`` lists the possible options.

    A gain and a discount need no key.

    >>> from rocsolid.graded.profile import OURS
    >>> changed = with_options(OURS, ["exp2", "zipf"], ("gain", "discount"), "")
    >>> changed.gain.name, changed.discount.name
    ('exp2', 'zipf')
    """
    settings: dict[str, Any] = {}
    for option in parts:
        setting = _SETTING.fullmatch(option)
        key = _bare(option, allowed, text) if setting is None else _known(setting, allowed, text)
        if key in settings:
            raise InputError(f"two values for {key}", where=text, value=option, fix="give one")
        settings[key] = PARAMETERS[key].read(
            option if setting is None else setting[3].strip(), text
        )
    if "max" in settings:
        settings["top"] = settings.pop("max")
    return replace(profile, **settings)


def _known(setting: re.Match[str], allowed: Sequence[str], text: str) -> str:
    key = setting[1].casefold()
    key = next((name for name, parameter in PARAMETERS.items() if key in parameter.aliases), key)
    if key not in allowed or (setting[2] != "=" and key != "relevant"):
        near = nearest(key, allowed)
        raise InputError(
            "an option that this measure does not have",
            where=text,
            value=setting[0],
            fix=f"use {near or ', '.join(allowed)}",
        )
    return key


def _bare(option: str, allowed: Sequence[str], text: str) -> str:
    word = option.casefold()
    if "gain" in allowed and (word in GAINS or (_TABLE.fullmatch(option) and ":" in option)):
        return "gain"
    if "discount" in allowed and (
        word in DISCOUNTS or _CALL.fullmatch(option) or _TABLE.fullmatch(option)
    ):
        return "discount"
    known = (*GAINS, *DISCOUNTS) if "gain" in allowed else allowed
    near = nearest(option, known)
    raise InputError(
        "an option that this measure does not have",
        where=text,
        value=option,
        fix=f"{'' if near is None else f'did you mean {near!r}? '}use "
        + (f"a gain ({', '.join(GAINS)}) and a discount ({', '.join(DISCOUNTS)}, power(0.5))"
           if "gain" in allowed else " or ".join(f"{key}=…" for key in allowed)),
    )  # fmt: skip


def _gain(value: str, text: str) -> Any:
    table = _TABLE.fullmatch(value)
    if table is None:
        return as_gain(value.casefold())
    pairs = [pair.partition(":") for pair in table[1].split(",")]
    return as_gain({_number(grade, text): _number(gain, text) for grade, _, gain in pairs})


def _discount(value: str, text: str) -> Any:
    call, table = _CALL.fullmatch(value), _TABLE.fullmatch(value)
    if call is not None:
        make = power if call[1].casefold() == "power" else exponential
        return make(_number(call[2], text))
    if table is not None:
        return as_discount([_number(number, text) for number in table[1].split(",")])
    return as_discount(value.casefold())


def _ideal(value: str, text: str) -> str:
    if value.casefold() not in get_args(Ideal):
        raise InputError(
            "unknown ideal", where=text, value=value, fix="use ideal=judged or ideal=retrieved"
        )
    return value.casefold()


def _number(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(
            "not a number", where=text, value=value.strip(), fix="write one, such as 2 or 0.5"
        ) from None


PARAMETERS = {
    each.name: each
    for each in (
        MeasureParameter("gain", "the gain of a grade", "exp2", _gain, "linear"),
        MeasureParameter("discount", "the weight of a rank", "zipf", _discount, "log2"),
        MeasureParameter(
            "ideal", "the documents of the ideal list: all judged ones, or the retrieved ones",
            "ideal=retrieved", _ideal, "judged",
        ),
        MeasureParameter(
            "relevant", "the lowest relevant grade", "relevant>=2", _number, "1", ("rel",)
        ),
        MeasureParameter("max", "the top of the scale of grades", "max=3", _number, "4"),
        MeasureParameter("p", "the probability to read the next document", "p=0.9", _number, "0.8"),
    )
}  # fmt: skip
"""Settings in names of list measures, by name."""
