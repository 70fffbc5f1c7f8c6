"""Steps that encode columns, read as affine maps of features that were fixed before the rows."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.certificates.scores_of import name_of
from rocsolid.dataclass import dataclass
from rocsolid.theory.guarantees.shatter import Linear, UserClass
from rocsolid.theory.learners.certificate.affine import AffineMap, affine_of, imputation, leading

_FLOATS = NDArray[np.float64]
EDGES = "the rows chose the edges of the bins"
DROPPED = "the rows chose the category that has no weight"
CODES = "the rows chose the categories, and so their codes"


@dataclass(frozen=True, slots=True, eq=False)
class Expansion:
    """Features z and the affine map from z to the outputs of the steps.

    A step chooses ``chosen`` categories or edges of bins on the rows, a number for each column.
    ``unknown`` says why norms of z are then not known. Otherwise ‖z‖² ≤ ``raw``·R² + ``square`` for
    rows with ‖x‖ ≤ R. Indicators of categories need no list of them in advance: they are a kernel,
    the number of columns in which two rows have the same category, and a new category has weight 0.
    ``steady``: a penalty on the weights is the same whatever the rows. ``marks`` are the features
    that tell whether a value is missing. The rows chose the number that replaces it if ``imputed``.
    """

    features: _FLOATS
    map: AffineMap
    chosen: tuple[int, ...] = ()
    unknown: str = ""
    raw: int = 0
    square: float = 0.0
    steady: bool = True
    marks: NDArray[np.bool_] | None = None
    imputed: bool = False

    def radius(self, radius: float | None) -> float | None:
        if self.unknown or (self.raw and radius is None):
            return None
        return math.sqrt(self.raw * (radius or 0.0) ** 2 + self.square)


def chosen_columns(chosen: tuple[int, ...], features: int) -> UserClass:
    """Return linear functions of z, a union over what the rows may choose.

    On M rows, k categories, codes of k categories in order, or k edges of bins differ in at most
    Σ_j C(M, j)·C(k, j) = C(M+k, k) ways. The number k has the weight 1/((k+1)(k+2)).

    >>> round(chosen_columns((3,), 3).log_sign_patterns(1000), 1)
    37.8
    """
    linear = Linear(features)

    def choices(rows: int) -> float:
        return sum(
            math.lgamma(rows + k + 1) - math.lgamma(rows + 1) - math.lgamma(k + 1)
            + math.log((k + 1) * (k + 2))
            for k in chosen
        )  # fmt: skip

    return UserClass(
        rank_shatter=lambda m, n: choices(m + n) + linear.log_rank_shatter(m, n),
        sign_patterns=lambda pairs: choices(2 * pairs) + linear.log_sign_patterns(pairs),
        threshold_patterns=lambda points: choices(points) + linear.log_threshold_patterns(points),
        symmetric=True,
    )


def expanded(step: Any, table: NDArray[Any], outputs: _FLOATS) -> Expansion | str:
    """Return a fitted step of scikit-learn with its columns and outputs, or what is not known."""
    if isinstance(step, str) or type(step).__module__.startswith("sklearn."):
        reader = _READERS.get(type(step).__name__, _numbers)
        return reader(step, table, outputs)
    return name_of(step)


def _as_numbers(table: NDArray[Any]) -> _FLOATS | None:
    try:
        return np.asarray(table, np.float64)
    except (TypeError, ValueError):
        return None


def _numbers(step: Any, table: NDArray[Any], _: _FLOATS) -> Expansion | str:
    own, numbers = affine_of(step, table.shape[1]), _as_numbers(table)
    if own is None:
        return name_of(step)
    if numbers is None:
        return _of_text(step)
    return Expansion(numbers, own, raw=1, steady=own.is_identity)


def _of_text(step: Any) -> str:
    return f"{step if isinstance(step, str) else name_of(step)} of columns of text"


def _imputed(step: Any, table: NDArray[Any], _: _FLOATS) -> Expansion | str:
    numbers = _as_numbers(table)
    if numbers is None:
        return _of_text(step)
    width = numbers.shape[1]
    own = imputation(step, width)
    if own is None:
        return _why_not_imputed(step)
    missing = np.isnan(numbers)
    marked = np.hstack([np.where(missing, 0.0, numbers), missing])
    return Expansion(
        marked, own, raw=1, square=float(width), steady=False,
        marks=np.arange(2 * width) >= width, imputed=own.learned > 0,
    )  # fmt: skip


def _why_not_imputed(step: Any) -> str:
    if step.add_indicator:
        return "SimpleImputer(add_indicator=True)"
    value = step.missing_values
    if not (isinstance(value, float) and math.isnan(value)):
        return f"SimpleImputer(missing_values={value!r})"
    return "SimpleImputer of a column without a value"


def _in_order(step: Any, table: NDArray[Any], outputs: _FLOATS) -> Expansion | str:
    """Return an encoder, or an imputer or an affine step with affine steps after it."""
    (_, first), *later = step.steps
    if not later:
        return expanded(first, table, outputs)
    if _READERS.get(type(first).__name__, _numbers) not in (_numbers, _imputed):
        return f"{name_of(later[0][1])} after {name_of(first)}"
    start = expanded(first, table, outputs)
    if isinstance(start, str):
        return start
    after, others = leading([inner for _, inner in later], start.map.matrix.shape[1])
    if others:
        return f"{name_of(others[0])} after {name_of(step.steps[-len(others) - 1][1])}"
    return replace(start, map=start.map.then(after), steady=False)


def _rare_as_one(step: Any) -> str:
    """Return the setting by which the rows choose which categories are one."""
    for setting in ("min_frequency", "max_categories"):
        if (value := getattr(step, setting)) is not None:
            return f"{name_of(step)}({setting}={value!r})"
    return ""


def _one_hot(step: Any, table: NDArray[Any], outputs: _FLOATS) -> Expansion | str:
    if why := _rare_as_one(step):
        return why
    fixed = not isinstance(step.categories, str)
    sizes = () if fixed else tuple(len(kinds) for kinds in step.categories_)
    own, dropped = AffineMap.identity(outputs.shape[1]), not fixed and step.drop is not None
    unknown, square = DROPPED if dropped else "", float(table.shape[1])
    return Expansion(outputs, own, sizes, unknown, square=square, steady=not dropped)


def _ordinal(step: Any, _: NDArray[Any], outputs: _FLOATS) -> Expansion | str:
    if why := _rare_as_one(step):
        return why
    codes = [0.0 if value is None else float(value) for value in
             (step.unknown_value, step.encoded_missing_value)]  # fmt: skip
    known = [0.0 if math.isnan(code) else abs(code) for code in codes]
    if not np.isfinite(outputs).all():
        return "OrdinalEncoder of missing values"
    sizes = tuple(len(kinds) for kinds in step.categories_)
    own = AffineMap.identity(outputs.shape[1])
    if isinstance(step.categories, str):
        return Expansion(outputs, own, sizes, CODES, steady=False)
    square = sum(max(size - 1.0, *known) ** 2 for size in sizes)
    return Expansion(outputs, own, square=square)


def _bins(step: Any, _: NDArray[Any], outputs: _FLOATS) -> Expansion:
    sizes = tuple(len(edges) - 2 for edges in step.bin_edges_)
    return Expansion(outputs, AffineMap.identity(outputs.shape[1]), sizes, EDGES, steady=False)


def _marks(own: Expansion) -> NDArray[np.bool_]:
    return np.zeros(own.features.shape[1], np.bool_) if own.marks is None else own.marks


def _columns(step: Any, table: NDArray[Any], outputs: _FLOATS) -> Expansion | str:
    width = outputs.shape[1]
    parts: list[tuple[slice, Expansion]] = []
    used: Counter[int] = Counter()
    for name, inner, _ in step.transformers_:
        place = step.output_indices_[name]
        if (isinstance(inner, str) and inner == "drop") or place.stop == place.start:
            continue
        positions = step._transformer_to_input_indices[name]
        own = expanded(inner, table[:, positions], outputs[:, place])
        if isinstance(own, str):
            return own
        used.update(positions if own.raw else ())
        parts.append((place, own))
    matrices, shift = [], np.zeros(width)
    for place, own in parts:
        block = np.zeros((own.map.matrix.shape[0], width))
        block[:, place], shift[place] = own.map.matrix, own.map.shift
        matrices.append(block)
    each = [own for _, own in parts]
    learned = [sum(numbers) for numbers in zip(
        *((own.map.learned_in_matrix, own.map.learned_in_shift) for own in each), strict=True
    )]  # fmt: skip
    return Expansion(
        np.hstack([own.features for own in each]),
        AffineMap(np.vstack(matrices), shift, *learned),
        tuple(k for own in each for k in own.chosen),
        next((own.unknown for own in each if own.unknown), ""),
        max(used.values(), default=0),
        sum(own.square for own in each),
        all(own.steady for own in each),
        np.concatenate([_marks(own) for own in each]),
        any(own.imputed for own in each),
    )


ENCODERS = ("SimpleImputer", "OneHotEncoder", "OrdinalEncoder", "KBinsDiscretizer")
_READERS = {
    "SimpleImputer": _imputed,
    "Pipeline": _in_order,
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
    "KBinsDiscretizer": _bins,
    "ColumnTransformer": _columns,
}
