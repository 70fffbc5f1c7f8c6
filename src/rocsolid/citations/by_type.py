"""Works behind results that have no interval, and behind learners, by the name of their class."""

from __future__ import annotations

from types import MappingProxyType

_LABELINGS = ("whitehill2019",)
_LONG_LISTS = ("wang2013",)
WORKS_BY_TYPE: MappingProxyType[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "rocsolid.asymptotics.distinguishing.distinction.Distinction": (
            "Which discount separates rankers", _LONG_LISTS,
        ),
        "rocsolid.asymptotics.gap_order.GapOrder": ("The gap of two rankers", _LONG_LISTS),
        "rocsolid.asymptotics.limit.Limit": ("The limit of NDCG", _LONG_LISTS),
        "rocsolid.asymptotics.predicted.PredictedGap": ("The predicted gap", _LONG_LISTS),
        "rocsolid.asymptotics.rates.Rate": ("The distance from the limit", _LONG_LISTS),
        "rocsolid.asymptotics.separation.Separation": ("Whether a gap settles", _LONG_LISTS),
        "rocsolid.binary.roc.Roc": ("The ROC curve", ("hanley1982",)),
        "rocsolid.comparison.queries.discriminative_power.DiscriminativePower": (
            "Discriminative power", ("sakai2006",),
        ),
        "rocsolid.comparison.queries.swap_rate.SwapRate": ("The swap rate", ("voorhees2002",)),
        "rocsolid.leaks.exposure.Exposure": ("What a release says of each row", _LABELINGS),
        "rocsolid.leaks.growth.Conjecture": ("The number of labelings by size", _LABELINGS),
        "rocsolid.leaks.growth.Rise": ("The number of labelings by size", _LABELINGS),
        "rocsolid.leaks.joint.Joint": (
            "The labelings that several releases leave", ("whitehill2016", "whitehill2019"),
        ),
        "rocsolid.leaks.labeling_count.LabelingCount": ("The count of labelings", _LABELINGS),
        "rocsolid.leaks.plan.Plan": (
            "What a leaderboard gives away", ("whitehill2016", "whitehill2019"),
        ),
        "rocsolid.leaks.release.bootstrapped_ladder.BootstrappedLadder": (
            "The bootstrapped Ladder", ("neto2016",),
        ),
        "rocsolid.leaks.release.ladder.Ladder": ("The Ladder", ("blum2015",)),
        "rocsolid.leaks.release.parameter_free_ladder.ParameterFreeLadder": (
            "The parameter-free Ladder", ("blum2015",),
        ),
        "rocsolid.leaks.release.private_auc.Gaussian": ("The private AUC", ("canonne2020",)),
        "rocsolid.leaks.release.private_auc.Laplace": ("The private AUC", ("canonne2020",)),
        "rocsolid.leaks.release.shaky_ladder.ShakyLadder": ("The Shaky Ladder", ("hardt2017",)),
        "rocsolid.leaks.release.thresholdout.Thresholdout": ("Thresholdout", ("dwork2015",)),
        "rocsolid.leaks.replay.Replay": ("What a log gave away", ("whitehill2016",)),
        "rocsolid.leaks.simulate.Simulation": ("The attacks", ("whitehill2016",)),
        "rocsolid.learners.auc_least_squares.AUCLeastSquares": ("The learner", ("gao2013",)),
        "rocsolid.learners.list_net.ListNet": ("The learner", ("cao2007",)),
        "rocsolid.learners.partial_auc_scorer.PartialAUCScorer": (
            "The learner", ("maurer2020", "narasimhan2017"),
        ),
        "rocsolid.learners.rank_boost.RankBoost": ("The learner", ("freund2003",)),
        "rocsolid.learners.rank_svm.RankSVM": (
            "The learner", ("herbrich2000", "joachims2002", "chapelle2010"),
        ),
        "rocsolid.results.bracket.Bracket": (
            "The AUC, with what counting leaves open", ("hanley1982", "agarwal2005"),
        ),
    }
)  # fmt: skip
"""Module and class -> what a sentence calls it, and keys of the bibliography."""
