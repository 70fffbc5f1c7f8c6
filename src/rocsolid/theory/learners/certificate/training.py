"""Lower limits for a scorer from the rows that it was fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, overload

import numpy as np

from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area
from rocsolid.certificates.certificate import rounded_down
from rocsolid.certificates.of_scorer import CertifiedGrid, certify_grid
from rocsolid.certificates.scores_of import name_of, named_candidates
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs import check_lengths, positives
from rocsolid.inputs.arrays import scores as numbers
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.results import percent
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.placements import Placements
from rocsolid.theory.learners.certificate.reading import read, region_of, settings_tried
from rocsolid.theory.learners.certificate.split import rows_of
from rocsolid.theory.learners.certificate.training_rows import Bound, Made, TrainingSet
from rocsolid.weights import step


@dataclass(frozen=True, slots=True)
class TrainingBounds(Plain):
    """Bounds from the rows that a scorer was fitted on; all hold at once at the level.

    ``value`` is the measure on these rows. Each bound has an equal share of 1 − ``level``.
    ``left_out`` lists the bounds that need unknown quantities, and which. ``read_as`` describes the
    class of scorers of the model, empty if its name suffices.
    """

    measure: str
    value: float
    scorer: str
    level: float
    bounds: tuple[Bound, ...]
    left_out: Mapping[str, str]
    read_as: str = ""

    @property
    def best(self) -> Bound:
        """The bound with the best lower limit for the scorer itself."""
        own = [bound for bound in self.bounds if not bound.randomised]
        return max(own, key=lambda bound: bound.low)

    def __getitem__(self, method: str) -> Bound:
        for bound in self.bounds:
            if bound.method == method:
                return bound
        raise KeyError(method)

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [
            f"{self.measure} {self.value:.4f} on the rows that {self.scorer} was fitted on; lower "
            f"limits that hold together with probability {percent(self.level)}:"
        ]
        lines += [f"read as {self.read_as}"] if self.read_as else []
        lines += [str(bound) for bound in self.bounds]
        lines += [f"{method}: left out, {reason}" for method, reason in self.left_out.items()]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class BoundedModels(Plain):
    """Models ranked by their training-set bounds (structural risk minimisation).

    All bounds hold at once. ``refused`` lists the models without a known bound, and why.
    ``new_rows`` contains certificates from rows that no model was fitted on, if given: they are the
    fair comparison, at their own level.
    """

    models: Mapping[str, TrainingBounds]
    refused: Mapping[str, str]
    level: float
    new_rows: CertifiedGrid | None = None
    _json = "measure best level vacuous models refused new_rows"

    @property
    def measure(self) -> str:
        return next((bounds.measure for bounds in self.models.values()), "AUC")

    @property
    def ranked(self) -> tuple[str, ...]:
        """The names, best lower limit first; at a tie, by the value on the training rows."""
        own = self.models
        return tuple(sorted(own, key=lambda name: (-own[name].best.low, -own[name].value)))

    @property
    def vacuous(self) -> bool:
        """True if every bound is vacuous, so that they rank nothing."""
        return all(bounds.best.vacuous for bounds in self.models.values())

    @property
    def best(self) -> str | None:
        """The name of the model with the best lower limit; ``None`` if all are vacuous."""
        return None if self.vacuous else self.ranked[0]

    def __getitem__(self, name: str) -> TrainingBounds:
        return self.models[name]

    def __len__(self) -> int:
        return len(self.models) + len(self.refused)

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [
            f"{self.measure} of {len(self):,} models on their training rows; lower limits hold "
            f"together at {percent(self.level)}",
            f"best by its bound: {self.best or 'none, as every bound is vacuous'}",
        ]
        if self.new_rows is not None:
            lines[-1] += f"; on new rows: {self.new_rows.best}"
        width = max(len(name) for name in (*self.models, *self.refused))
        lines += [f"{name:<{width}}  {self._words(name)}" for name in self.ranked]
        lines += [f"{name:<{width}}  no bound: {why}" for name, why in self.refused.items()]
        return "\n".join(lines)

    def _words(self, name: str) -> str:
        bounds = self.models[name]
        best = bounds.best
        low = rounded_down(best.low, best.interval.decimals)
        limit = "vacuous" if best.vacuous else f"at least {low} ({best.method})"
        text = f"{bounds.value:.4f}, {limit}"
        return (
            text if self.new_rows is None else f"{text}; new rows {self.new_rows[name]._in_short()}"
        )


@overload
def training_bounds(
    scorer: Mapping[str, Any] | list[Any],
    X: Any,
    y: Any,
    *,
    level: float = 0.95,
    radius: float | None = None,
    new_rows: tuple[Any, Any] | None = None,
    pos_label: Any = None,
) -> BoundedModels: ...


@overload
def training_bounds(
    scorer: Any,
    X: Any,
    y: Any,
    *,
    level: float = 0.95,
    radius: float | None = None,
    new_rows: None = None,
    pos_label: Any = None,
) -> TrainingBounds: ...


def training_bounds(
    scorer: Any,
    X: Any,
    y: Any,
    *,
    level: float = 0.95,
    radius: float | None = None,
    new_rows: tuple[Any, Any] | None = None,
    pos_label: Any = None,
) -> TrainingBounds | BoundedModels:
    """Return lower limits for the AUC of a scorer from the rows that it was fitted on.

    The limits hold for all scorers of a class at once, and therefore for the trained scorer. At
    ordinary sizes most limits are vacuous; `certify` on held-out rows is far tighter. The class,
    which the settings of the model determine, must have been fixed before the rows, and the rows of
    X must be independent.

    - A **linear** scorer (``coef_``): rank-shatter and shatter coefficients (Agarwal et al. 2005,
      Corollary 18 and Theorem 27), sign patterns on blocks of pairs, margins, and PAC-Bayes, for
      the scorer with noise on its weights. Affine steps of a scikit-learn pipeline (scalers, PCA,
      selected features, ``ColumnTransformer``) may be fitted on any rows.
    - **A first step that imputes, encodes or bins columns**, also by ``ColumnTransformer``:
      ``SimpleImputer`` doubles the features, as each also counts as missing or not. The counts
      include the categories and edges that the rows chose; ``categories=`` saves that. A new
      category has weight 0, so norms of ``OneHotEncoder`` need neither a list nor ``radius``.
    - **RankSVM, AUCLeastSquares, LogisticRegression, LinearSVC, SVC, RidgeClassifier**, with a
      Gaussian kernel of a fixed ``gamma`` too: stability (Agarwal and Niyogi 2009). With the
      default penalties it is vacuous, and then left out.
    - ``PolynomialFeatures`` in a pipeline: polynomials of that degree (their Theorem 26).
    - **RankBoost** with thresholds: the same counts for T rankers from a dictionary H, which adds
      about T·ln|H|, and margins of votes.
    - **Trees** (`rocsolid.theory.guarantees.tree_sums`): forests, boosted trees, single trees. For
      a forest also the trees themselves, on the rows that each left out.
    - **SVC** and ``Nystroem`` with a Gaussian kernel, ``RBFSampler``: margins in the kernel's
      space, compression to the support vectors, counts given the landmarks. Each number that the
      rows chose, such as ``gamma="scale"`` or the scales of a scaler, adds ln 2⁶⁴. An SVC with a
      polynomial kernel is a polynomial.
    - **MLP** of rectified linear units (`rocsolid.theory.guarantees.networks`).
    - **GridSearchCV** and other searches of scikit-learn that were refitted: the class of the best
      of K settings, at 1/K of the error.
    - **PartialAUCScorer**: dichotomies for the completed curve, and Corollary 4 of Maurer and
      Pontil 2020 for norm 1, both for its own region.

    **Several models** (a mapping of names, or a list) are ranked by their best limit, each at (1 −
    ``level``)/K, unless every bound is vacuous. ``new_rows=(X, y)`` requires such a
    mapping or list, and adds certificates by `certify_grid` on rows that no model was fitted on.
    Bounds are for the partial area if all models were trained for the same one, otherwise for the
    AUC.

    **Grades**, three or more numbers as ``y``, have bounds of the concordance. Every pair of grades
    has its own bounds at an equal share of 1 − ``level``, and their mean is weighted by the pairs
    of rows, whose shares are taken as known.

    ``radius`` is an R with ‖x‖ ≤ R for every possible row, known in advance (√d for d features in
    [0, 1]), without columns that are encoded. Margins, stability and Corollary 4 are omitted
    without it.

    >>> from types import SimpleNamespace
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(4000) % 2
    >>> X = rng.uniform(size=(4000, 2)) / 2 + y[:, None] * [0.5, 0.2]
    >>> scorer = SimpleNamespace(coef_=np.array([1.0, 0.4]), decision_function=lambda X: X[:, 0])
    >>> print(training_bounds(scorer, X, y, radius=2**0.5))
    AUC 0.9991 on the rows that SimpleNamespace was fitted on; lower limits that hold together with
    probability 95 %:
    rank-shatter: at least 0.5676, better than chance
    Freund et al.: at least 0.5513, better than chance
    block-VC: at least 0.8855, better than chance
    Rademacher margin: at least 0.8063, better than chance
    PAC-Bayes-kl: at least 0.9834, better than chance, of the randomised scorer
    """
    training, delta = _of_grades(X, y, pos_label, radius), check_level(level)
    if isinstance(scorer, Mapping | list):
        return _bounds_of_models(scorer, training, delta, new_rows)
    if new_rows is not None:
        raise InputError(
            "new_rows is for comparing several models, and this is a single model",
            where="new_rows",
            fix="pass a mapping of names to models as scorer; for a single model, use certify",
        )
    return _bounds_of(scorer, region_of(scorer), training, delta)


def _bounds_of_models(
    models: Mapping[str, Any] | list[Any],
    training: GradedTraining,
    delta: float,
    new_rows: tuple[Any, Any] | None,
) -> BoundedModels:
    named = named_candidates(models)
    regions = {region_of(scorer) for scorer in named.values()}
    region = regions.pop() if len(regions) == 1 else None
    bounded: dict[str, TrainingBounds] = {}
    refused: dict[str, str] = {}
    for name, scorer in named.items():
        try:
            bounded[name] = _bounds_of(scorer, region, training, delta / len(named))
        except UnsoundError as error:
            refused[name] = str(error)
    certificates = None
    if new_rows is not None:
        new_X, new_y = new_rows
        certificates = certify_grid(
            named,
            new_X,
            new_y,
            measure=training.measure if region is None else f"partial_auc({region})",
            level=1.0 - delta,
            fitted_on=(training.X, training.y),
            pos_label=training.pos_label,
        )
    return BoundedModels(bounded, refused, 1.0 - delta, certificates)


@dataclass(frozen=True, slots=True, eq=False)
class GradedTraining:
    """The training rows of each pair of grades, and the share of each pair among pairs of rows."""

    X: Any
    y: Any
    pos_label: Any
    pairs: tuple[TrainingSet, ...]
    shares: tuple[float, ...]

    @property
    def measure(self) -> str:
        return "auc" if len(self.pairs) == 1 else "concordance"


def _bounds_of(
    scorer: Any, region: Region | None, training: GradedTraining, delta: float
) -> TrainingBounds:
    """Return the bounds of two classes, or the weighted means over pairs of grades.

    A search over K settings is a model of K classes, each at 1/K of the error.
    """
    if (tried := settings_tried(scorer)) is not None:
        found = _bounds_of(scorer.best_estimator_, region, training, delta / tried)
        words = f"the best of {tried:,} settings, which share the error"
        read_as = f"{words}: {found.read_as}" if found.read_as else words
        return replace(found, scorer=name_of(scorer), level=1.0 - delta, read_as=read_as)
    if len(training.pairs) == 1:
        return _bounds_of_pair(scorer, region, training.pairs[0], delta)
    if region is not None:
        raise UnsoundError(
            "a partial area is for two classes", where="y", fix="pass the labels of two classes"
        )
    share = delta / len(training.pairs)
    each = [_bounds_of_pair(scorer, None, pair, share, OF_TWO) for pair in training.pairs]
    means = [
        _mean_of_bounds([bounds[bound.method] for bounds in each], training.shares, delta)
        for bound in each[0].bounds
    ]
    value = sum(share * bounds.value for share, bounds in zip(training.shares, each, strict=True))
    return replace(
        each[0], measure=training.measure, value=value, level=1.0 - delta, bounds=tuple(means)
    )


OF_TWO = {"PAC-Bayes-kl": "the randomised scorer would differ between pairs of grades"}
KNOWN_SHARES = "shares of the grades as in these rows"


def _mean_of_bounds(each: list[Bound], shares: tuple[float, ...], delta: float) -> Bound:
    low, value = (
        sum(share * getattr(bound, name) for share, bound in zip(shares, each, strict=True))
        for name in ("low", "value")
    )
    first = each[0].interval
    interval = replace(
        first, low=low, level=1.0 - delta, assumptions=(*first.assumptions, KNOWN_SHARES)
    )
    return replace(each[0], value=value, interval=interval)


def _bounds_of_pair(
    scorer: Any,
    region: Region | None,
    training: TrainingSet,
    delta: float,
    omitted: Mapping[str, str] = MappingProxyType({}),
) -> TrainingBounds:
    reading = read(scorer, region, training)
    made: list[Made] = []
    left_out = {}
    for method, bound in reading.bounds:
        if method in omitted:
            left_out[method] = omitted[method]
        elif isinstance(bound, str):
            left_out[method] = bound
        else:
            made.append(bound)
    if not made:
        reasons = "; ".join(f"{method}: {reason}" for method, reason in left_out.items())
        raise UnsoundError(
            f"every bound of {name_of(scorer)} is left out ({reasons or 'it makes no split'})",
            where="scorer",
            fix="use certify on rows not used in the fit",
        )
    if region is None:
        measure, value = "AUC", Placements.from_sorted(reading.classes).auc
    else:
        measure = f"partial_auc({region})"
        value = curve_area(reading.classes, step(*region.fpr))
    return TrainingBounds(
        measure,
        value,
        name_of(scorer),
        1.0 - delta,
        tuple(bound(delta / len(made)) for bound in made),
        left_out,
        reading.text,
    )


def _of_grades(X: Any, y: Any, pos_label: Any, radius: float | None) -> GradedTraining:
    grade = np.asarray(in_main_memory(y, "y"))
    if pos_label is not None or grade.dtype.kind not in "iuf" or len(np.unique(grade)) <= 2:
        return GradedTraining(X, y, pos_label, (_training_set(X, y, pos_label, radius),), (1.0,))
    grade = numbers(y, name="y")
    kinds, sizes = np.unique(grade, return_counts=True)
    pairs = list(combinations(range(len(kinds)), 2))
    rows = [np.flatnonzero((grade == kinds[i]) | (grade == kinds[j])) for i, j in pairs]
    counts = np.array([sizes[i] * sizes[j] for i, j in pairs], dtype=float)
    return GradedTraining(
        X, y, None,
        tuple(
            _training_set(rows_of(X, own), grade[own] == kinds[j], None, radius)
            for own, (_, j) in zip(rows, pairs, strict=True)
        ),
        tuple((counts / counts.sum()).tolist()),
    )  # fmt: skip


def _training_set(X: Any, y: Any, pos_label: Any, radius: float | None) -> TrainingSet:
    table = np.asarray(X.toarray() if hasattr(X, "toarray") else in_main_memory(X, "X"))
    try:
        features = table.astype(np.float64)
    except (TypeError, ValueError):
        features = table  # categories, which a step of the model may encode
    positive = positives(y, pos_label=pos_label)
    if features.ndim != 2:
        raise InputError("not a table with one row per case", where="X", value=features.shape)
    check_lengths({"X": len(features), "y": len(positive)})
    if positive.all() or not positive.any():
        raise OneClassError("there is one class only, so there is no pair to order", where="y")
    return TrainingSet(X, y, features, positive, pos_label, radius)
