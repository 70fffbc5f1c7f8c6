"""The JSON documents of the verbs; each result defines its own keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Never, TypedDict

from rocsolid.evaluation.public.offers import Offer
from rocsolid.evaluation.public.relabelled import UnitKind
from rocsolid.evaluation.public.segments import RoundedResult
from rocsolid.inputs.trec import Audit
from rocsolid.report.data import LeakReport
from rocsolid.results import Comparison, Estimate, Interval, QueryEstimate
from rocsolid.results.comparison import Winner
from rocsolid.results.concordance_estimate import (
    ConcordanceEstimate,
    FoldedComparison,
    FoldedEstimate,
)
from rocsolid.results.estimate import JointEstimate
from rocsolid.results.json_schema import (
    ITS_KEYS,
    Count,
    FullName,
    IntervalLevel,
    Keywords,
    MeasureName,
    RequestedMeasure,
    ScoreName,
    SegmentOrAll,
)
from rocsolid.results.query_estimate import QueryComparison
from rocsolid.results.segments import LowestSegment, SegmentEvidence
from rocsolid.results.within_estimate import PairsEstimate, WithinEstimate

TableName = Annotated[str, "The table."]
LabelColumn = Annotated[str, "The label column."]
RowCount = Annotated[Count, "Rows of the table."]
Reason = Annotated[str, "Why not."]
Compared = Annotated[
    Literal["scores", "samples"], ("The kind of things compared: scores or samples.")
]
GroupValue = Annotated[str | float | bool, "A value of the column of groups."]
TwoGroups = Annotated[
    list[GroupValue], ("The group of the positives and the group of the negatives.")
]


class OfScore(TypedDict):
    """A result of one score, over all rows or in one segment."""

    score: ScoreName
    by: SegmentOrAll


class OfLabels(TypedDict):
    """Scores against labels."""

    rows: RowCount
    source: TableName
    label: LabelColumn


class SkippedEstimate(OfScore):
    """A segment without an estimate."""

    measure: Annotated[str, "The measure."]
    reason: Reason
    n_pos: Annotated[Count, "Its positives."]
    n_neg: Annotated[Count, "Its negatives."]


class Estimated(OfScore):
    """A score by a measure, over all rows or in one segment."""

    estimate: Annotated[Estimate, ITS_KEYS]


class OfRows(OfLabels):
    """Scores against labels of two classes."""

    engine: Annotated[str, "The engine that read the rows: memory, duckdb or spark."]
    results: Annotated[
        list[Estimated], "Each score and measure, over all rows and then by segment."
    ]
    skipped: Annotated[
        list[SkippedEstimate], ("Segments without an estimate, usually with one class.")
    ]
    heterogeneity: Annotated[
        list[SegmentEvidence],
        "The evidence that segments differ, for each score and measure; empty without segments, "
        "or if a cluster has rows in several.",
    ]
    lowest: Annotated[
        list[LowestSegment],
        "The lowest segment of each score and measure whose segments all have certified "
        "intervals; empty above 5,000 segments.",
    ]
    notes: Annotated[list[str], "Notes on the whole table; none at present."]


class AmongMany(OfScore):
    """A score among many."""

    estimate: Annotated[JointEstimate, ITS_KEYS]


class OfMany(TypedDict):
    """Many scores of the same rows."""

    scores: Annotated[Count, "The number of scores."]
    rows: RowCount
    level: IntervalLevel
    level_of_each: Annotated[
        float, "The level at which each interval alone is a simultaneous interval."
    ]
    resamples: Annotated[Count, "The number of draws of normal errors."]
    seed: Annotated[int, "From which seed."]
    best: Annotated[str, "The score with the highest value."]
    winner: Annotated[
        Winner | None,
        "The highest value, its interval corrected for the selection; null for one score, or if "
        "that value shows no variance.",
    ]
    results: Annotated[list[AmongMany], "Each score."]


class ComparedQueries(TypedDict):
    """Scores or runs compared by their means over queries."""

    measure: RequestedMeasure
    full_name: FullName
    estimates: Never  # they stand among the results
    comparison: Annotated[QueryComparison, ITS_KEYS]


class EstimatedMean(OfScore):
    """A score by a measure, over all queries or in one segment."""

    estimate: Annotated[QueryEstimate, ITS_KEYS]
    measure: RequestedMeasure
    full_name: FullName


class SkippedMean(TypedDict):
    """A segment without a mean."""

    measure: Annotated[str, "The measure."]
    by: SegmentOrAll
    reason: Reason
    queries: Annotated[Count, "Its queries."]


class OfQueries(TypedDict):
    """Scores against grades, over queries (--qid)."""

    source: TableName
    label: Annotated[str, "The column of grades."]
    qid: Annotated[str, "The column of queries."]
    rows: RowCount
    queries: Annotated[Count, "Its queries."]
    results: Annotated[
        list[EstimatedMean], "Each score and measure, over all queries and then by segment."
    ]
    comparisons: Annotated[
        list[ComparedQueries], "A comparison for each measure with several scores."
    ]
    skipped: Annotated[list[SkippedMean], "Segments without a mean."]
    heterogeneity: Annotated[
        list[SegmentEvidence], "The evidence that the segments of a score differ, for each measure."
    ]
    lowest: Annotated[list[LowestSegment], "The lowest segment of each score and measure."]
    distinction: Annotated[
        Mapping[str, Any] | None,
        "The discount and cut-off that separate the two best scores (--distinguish); null "
        "unless requested.",
    ]
    notes: Annotated[list[str], "Reasons why a profile's tool would have refused the table."]
    settings: Keywords


class MeanOverUnits(OfScore):
    """The mean over units of one score."""

    estimate: Annotated[QueryEstimate, ITS_KEYS]


class ComparedUnits(TypedDict):
    """The values of one measure for all scores."""

    estimates: Annotated[Mapping[str, QueryEstimate], "Each by name."]
    comparison: Annotated[QueryComparison, ITS_KEYS]


class OfUnits(TypedDict):
    """A value for each unit and score."""

    source: TableName
    units: Annotated[Count, "The number of units."]
    results: Annotated[list[MeanOverUnits], "Each score and measure."]
    comparisons: Annotated[
        list[ComparedUnits], "A comparison for each measure with several scores."
    ]


class OfClusters(OfUnits):
    """Scores against grades, over clusters of queries (--qid with --cluster)."""

    unit: Annotated[Literal["cluster"], "The units that results call queries."]


class ModelMean(TypedDict):
    """The mean over items, or over clusters of items, of one model."""

    estimate: Annotated[QueryEstimate, ITS_KEYS]
    n_excluded: Never  # items are left out, and no unit
    as_zeros: Never
    as_ones: Never


class MeanOverItems(ModelMean, OfScore):
    """The mean of one model."""


class ComparedModels(TypedDict):
    """All models, compared item by item."""

    estimates: Annotated[Mapping[str, ModelMean], "Each by name."]
    comparison: Annotated[QueryComparison, ITS_KEYS]


class OfLogs(TypedDict):
    """Logs of language-model evaluations: scores are models."""

    source: TableName
    units: Annotated[Count, "The number of units."]
    results: Annotated[list[MeanOverItems], "Each model."]
    comparisons: Annotated[list[ComparedModels], "The comparison of several models."]
    unit: Annotated[Literal["item", "cluster"], "The units that results call queries."]
    formed: Annotated[str, "How values and clusters were formed; empty for one answer an item."]


class RoundedOutward(TypedDict):
    """Limits rounded outward."""

    low: Annotated[float, "The lower limit, rounded down."]
    high: Annotated[float, "The upper limit, rounded up."]


class RoundedLimits(RoundedOutward):
    """An interval with limits rounded outward."""

    interval: Annotated[Interval, ITS_KEYS]


class PublicResult(RoundedOutward):
    """A rounded result."""

    method: Annotated[str, "The method of the interval."]
    certified: Annotated[RoundedLimits | None, "A certified interval; null if none is known."]
    rounded: Annotated[RoundedResult, ITS_KEYS]


class PublicCurve(TypedDict):
    """A coarse curve."""

    score: ScoreName
    rows_above: Annotated[list[int], "Rows above each cut."]
    positives_from: Annotated[list[int], "The fewest positives possible above each cut."]
    positives_to: Annotated[list[int], "The most."]


class PublicPair(TypedDict):
    """A pair."""

    a: Annotated[str, "The first."]
    b: Annotated[str, "The second."]
    p_adjusted: Annotated[str, 'The class of its adjusted p-value, such as "below 0.01".']


class PublicPairs(TypedDict):
    """The pairs of scores, with classes of p-values."""

    measure: MeasureName
    pairs: Annotated[list[PublicPair], "Every pair."]


class PublicAudit(TypedDict):
    """The disclosure of the publication."""

    public: Annotated[Literal[True], "Marks output that everybody may see."]
    audit: Annotated[LeakReport, ITS_KEYS]


class Public(TypedDict):
    """Output for people who must not learn the labels (--public), and what it reveals."""

    public: Annotated[Literal[True], "Marks output that everybody may see."]
    rows: RowCount
    unit: Annotated[
        UnitKind,
        "The unit of one label: each row, each row with its copies by frequency, or each "
        "cluster, if all rows of every cluster have the same label.",
    ]
    units: Annotated[Count, "The number of units."]
    source: Annotated[str, "The table, without its folder."]
    label: LabelColumn
    pos_label: Annotated[str | None, "The positive label; null for 1 or true."]
    lower_is_better: Annotated[bool, "Whether a lower score means a likelier positive."]
    results: Annotated[list[PublicResult], "Each score and measure, then the published segments."]
    curves: Annotated[list[PublicCurve], "A curve for each score that has one."]
    comparisons: Annotated[list[PublicPairs], "A comparison for each measure."]
    left_out: Annotated[list[str], "Items that are not published."]
    audit: Annotated[PublicAudit | None, "Null without an audit."]


class OfPublish(TypedDict):
    """The pages of a table that may be published. The list is private."""

    source: Annotated[str, "The table, without its folder."]
    label: LabelColumn
    unit: Annotated[
        Literal["rows", "rows with a frequency", "clusters"], "The units of one label each."
    ]
    best: Annotated[
        int | None, "The number of the finest page that passes; null if no page passes."
    ]
    offers: Annotated[list[Offer], "The pages, from the finest to the coarsest."]


class FoldedScore(OfScore):
    """The mean over folds of one score, over all rows or in one segment."""

    estimate: Annotated[FoldedEstimate, ITS_KEYS]


class SkippedFolds(OfScore):
    """A segment without an estimate."""

    reason: Reason


class ComparedFolds(TypedDict):
    """Scores of the same rows compared over their folds."""

    compared: Compared
    estimates: Annotated[Mapping[str, FoldedEstimate], "Each by name."]
    comparison: Annotated[FoldedComparison, ITS_KEYS]


class OfFolds(OfLabels):
    """Scores over the folds of a cross-validation."""

    results: Annotated[
        list[FoldedScore], "Each score and measure, over all rows and then by segment."
    ]
    skipped: Annotated[list[SkippedFolds], "Segments without an estimate."]
    comparisons: Annotated[
        list[ComparedFolds], "A comparison for each measure with several scores."
    ]


class PairOfGroups(TypedDict):
    """A pair of groups."""

    positives: GroupValue
    negatives: GroupValue


class PairEstimate(PairOfGroups):
    """The AUC of the positives of one group against the negatives of another."""

    estimate: Annotated[Estimate, ITS_KEYS]


class SkippedPair(PairOfGroups):
    """A pair of groups without rows on one side."""

    reason: Reason


class ScoreAcross(TypedDict):
    """One score."""

    score: ScoreName
    groups: Annotated[list[GroupValue], "All groups."]
    level: Annotated[IntervalLevel, "The joint level of all intervals."]
    pairs: Annotated[list[PairEstimate], "Every pair of groups that has rows on both sides."]
    worst: TwoGroups
    lowest: Annotated[list[float] | None, "Certified limits for the lowest AUC of all pairs."]
    may_be_worst: Annotated[
        list[TwoGroups], "The pairs that can be the lowest by the certified intervals."
    ]
    skipped: Annotated[list[SkippedPair], "Pairs without an estimate."]
    warnings: Annotated[list[str], "Warnings about all pairs."]


class OfGroups(OfLabels):
    """Scores across groups (--across)."""

    across: Annotated[str, "The column of groups."]
    results: Annotated[list[ScoreAcross], "A result for each score."]


class WithinScore(OfScore):
    """The value of one score within and between groups, over all rows or in one segment."""

    estimate: Annotated[WithinEstimate, ITS_KEYS]


class ComparedWithin(TypedDict):
    """Scores of the same rows compared within groups."""

    compared: Compared
    estimates: Annotated[Mapping[str, PairsEstimate], "Each by name."]
    comparison: Annotated[Comparison, ITS_KEYS]


class OfWithin(OfLabels):
    """Scores within groups (--within)."""

    within: Annotated[str, "The column of groups."]
    results: Annotated[
        list[WithinScore], "Each score and measure, over all rows and then by segment."
    ]
    skipped: Annotated[list[SkippedFolds], "Segments without an estimate."]
    comparisons: Annotated[
        list[ComparedWithin], "A comparison for each measure with several scores."
    ]


class ComparedScores(TypedDict):
    """Scores of the same rows, or segments for one score, compared."""

    score: Annotated[
        str | None, ("The score whose segments are compared; null if scores are compared.")
    ]
    compared: Compared
    estimates: Annotated[Mapping[str, Estimate | PairsEstimate], "Each by name."]
    comparison: Annotated[Comparison, ITS_KEYS]


class SkippedComparison(TypedDict):
    """A segment that could not be compared."""

    score: ScoreName
    segment: Annotated[str, "The segment."]
    reason: Reason


class OfTable(OfLabels):
    """Score columns compared, or segments for each."""

    by: Annotated[
        list[str], ("The columns that define the compared segments; empty if scores are compared.")
    ]
    comparisons: Annotated[
        list[ComparedScores], "The comparison of the scores, or of the segments for each score."
    ]
    skipped: Annotated[list[SkippedComparison], "Segments that could not be compared."]


class ScoreConcordance(OfScore):
    """A concordance of one score, over all rows or in one segment."""

    estimate: Annotated[ConcordanceEstimate, ITS_KEYS]


class ComparedOutcomes(TypedDict):
    """All scores compared on the same rows."""

    compared: Compared
    estimates: Annotated[Mapping[str, ConcordanceEstimate], "Each by name."]
    comparison: Annotated[Comparison, ITS_KEYS]


class SkippedConcordance(TypedDict):
    """A segment without a concordance."""

    by: SegmentOrAll
    reason: Reason


class OfOutcomes(TypedDict):
    """Scores against outcomes of any number of values."""

    source: TableName
    outcome: Annotated[str, "The outcome column."]
    rows: RowCount
    results: Annotated[list[ScoreConcordance], "Each score, over all rows and then by segment."]
    comparison: Annotated[
        ComparedOutcomes | None, ("The comparison of all scores; null for a single score.")
    ]
    skipped: Annotated[list[SkippedConcordance], "Segments without a concordance."]


class AuditedRun(TypedDict):
    """A run."""

    name: Annotated[str, "Its name."]
    audit: Annotated[Audit, "The properties that can change its numbers."]


class RunEstimate(TypedDict):
    """The mean of one run."""

    run: Annotated[str, "The run."]
    measure: RequestedMeasure
    full_name: FullName
    estimate: Annotated[QueryEstimate, ITS_KEYS]


class OfRuns(TypedDict):
    """Runs against judgements."""

    qrels: Annotated[str, "The judgements."]
    queries: Annotated[Count, "Judged queries."]
    runs: Annotated[list[AuditedRun], "In the given order."]
    results: Annotated[list[RunEstimate], "Each measure of each run, best first."]
    comparisons: Annotated[
        list[ComparedQueries], "A comparison for each measure with several runs."
    ]
    notes: Annotated[list[str], "Reasons why a profile's tool would have refused the files."]
    settings: Keywords
