"""What decides the value of a measure beside its formula: the conventions of one tool, or ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
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
"""What a judged query counts that a run lacks: 0, nothing, or it is an error."""

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
"""The conventions in the order in which an explanation switches them, and what each is called."""

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
    """How ranked lists are read and measured: by one tool, or as the user says.

    - ``missing``: a judged query that is not in the run counts 0 ("zero"), is left out ("exclude")
      or stops the tool ("error"). ``empty``: a query without a relevant document is left out,
      counts 0 or 1, or is an error.
    - What the name of a measure may leave open: ``gain`` and ``discount`` of DCG and nDCG; ``top``,
      the top of the scale of grades for ERR; ``relevant``, the lowest relevant grade; and ``p``,
      the persistence of rank-biased precision.
    - ``ties``: how documents with equal scores are ordered.
    - ``ideal``: whether judged documents that the run lacks count ("judged") or are not seen by the
      tool ("retrieved"); this decides ideal lists, and the number of relevant documents.
    - ``unjudged``: a document without a grade gains 0, leaves the list or is refused. ``negative``:
      a grade below 0 is refused, 0, or no judgement.
    - ``precision``: the floats in which scores are compared.
    - ``short``: nDCG@k of a list with fewer than k documents is read as if documents without a gain
      followed ("pad"), or counts 0 ("zero").
    - ``digits``: how many the tool prints after the point; ``None`` for all of them.
    - ``measures``: the measures that the tool computes in this way, by the heads of their names.
    - ``grades``: the largest grade that the tool takes; ``lengths``: the fewest and the most
      documents in a list that it takes. Elsewhere its value is what its formula would give.

    ``evidence`` says how each is known.
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
        # True and 1.0 would pass for 1
        if isinstance(self.empty, bool | float) or self.empty not in get_args(Empty):
            raise InputError(
                "unknown empty",
                where="empty",
                value=self.empty,
                fix='use "exclude", 0, 1 or "error"',
            )

    @property
    def ours(self) -> bool:
        """Whether it is no tool's."""
        return self.name == "rocsolid"

    @property
    def settings(self) -> dict[str, Any]:
        """What a result says of it."""
        missing = "exclude" if self.missing == "exclude" else "zero"
        return {
            "profile": None if self.ours else self.name,
            "ties": self.ties,
            "missing": missing,
            **attributes(self, "empty unjudged negative ideal precision"),
        }

    def says(self, convention: str) -> str:
        """The tool's side of a convention in a word or two.

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
        """The values of queries, after the decision about those that have none.

        ``without`` is what such a query lacks, usually a relevant document.
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
        """Plain data for JSON, the evidence included."""
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
        """The tool has the measure, and computes it in a way that is reproduced here.

        >>> Profile(name="gdeval", tool="gdeval").check_measure("bpref")
        Traceback (most recent call last):
        rocsolid.errors.InputError: gdeval has no such measure, or takes it in a way that is not
        reproduced: 'bpref' (measure). Fix: ask for nDCG, or take another profile.
        """
        if head not in self.measures:
            raise InputError(
                f"{self.tool} has no such measure, or takes it in a way that is not reproduced",
                where="measure",
                value=head,
                fix=f"ask for {' or '.join(self.measures)}, or take another profile",
            )


OURS = Profile(name="rocsolid", tool="rocsolid", missing="zero", empty="exclude", negative="raise")
"""What holds where nobody names a tool: the one place of these defaults."""


_NUMBER = r"([0-9.]+(?:e[-+]?[0-9]+)?)"
_SETTING = re.compile(r"([a-z_]+)\s*(=|>=|≥)\s*(.+)", re.IGNORECASE)
_CALL = re.compile(rf"(power|exponential)\s*\(\s*{_NUMBER}\s*\)", re.IGNORECASE)
_TABLE = re.compile(r"table\s*\((.*)\)", re.IGNORECASE)


def with_options(
    profile: Profile, parts: Sequence[str], allowed: Sequence[str], text: str
) -> Profile:
    """The profile changed by the options in a name; ``allowed`` are those it may hold.

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
    """Whether a value without a key is a gain or a discount."""
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
        MeasureParameter("gain", "what a grade is worth", "exp2", _gain, "linear"),
        MeasureParameter("discount", "what a rank is worth", "zipf", _discount, "log2"),
        MeasureParameter(
            "ideal", "the list to compare with: of all judged documents, or those retrieved",
            "ideal=retrieved", _ideal, "judged",
        ),
        MeasureParameter(
            "relevant", "the lowest relevant grade", "relevant>=2", _number, "1", ("rel",)
        ),
        MeasureParameter("max", "the top of the scale of grades", "max=3", _number, "4"),
        MeasureParameter("p", "the probability of reading on", "p=0.9", _number, "0.8"),
    )
}  # fmt: skip
"""What names of measures of ranked lists may hold, by name."""
