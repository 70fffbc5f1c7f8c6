"""The requirements: one entry each, with the formula, its reference and its tests."""

from __future__ import annotations

from rocsolid.qualifying import enumerated, simulated
from rocsolid.qualifying.enumerated import Enumerated, ExactCoverage
from rocsolid.qualifying.golden import GoldenNumbers
from rocsolid.qualifying.installation import arithmetic, recorded_files, versions_allowed
from rocsolid.qualifying.requirement import Requirement
from rocsolid.qualifying.simulated import CALIBRATED, CERTIFIED, MISSED, Simulated

REQUIREMENTS = (
    Requirement(
        "auc",
        "The AUC is the share of correctly ordered pairs of a positive and a negative.",
        "A = (#{s⁺ > s⁻} + ½ #{s⁺ = s⁻}) / (m n)",
        "Hanley and McNeil 1982",
        (
            GoldenNumbers("auc"),
            Enumerated("AUC of small tables by counting pairs", enumerated.auc_of_pairs),
        ),
    ),
    Requirement(
        "weights",
        "A pair counts as the product of its weights, and a count as so many equal rows.",
        "A = Σ w⁺ w⁻ φ(s⁺, s⁻) / Σ w⁺ w⁻",
        "page conventions",
        (
            GoldenNumbers("weights"),
            Enumerated("weighted AUC by counting pairs", enumerated.weighted_pairs),
        ),
    ),
    Requirement(
        "delong",
        "The standard error of an AUC is DeLong's, and interval='delong' is the normal interval.",
        "s² = S₁₀/m + S₀₁/n; A ± z s, cut to [0, 1]",
        "DeLong et al. 1988",
        (
            GoldenNumbers("delong"),
            Enumerated("standard error from all placements", enumerated.delong_of_pairs),
        ),
    ),
    Requirement(
        "difference",
        "test='delong' is DeLong's test of two AUCs on the same rows.",
        "z = (A − B) / √(s_A² + s_B² − 2 s_AB)",
        "DeLong et al. 1988",
        (
            GoldenNumbers("difference"),
            Enumerated("difference and its error from placements", enumerated.difference_of_pairs),
        ),
    ),
    Requirement(
        "curve",
        "The ROC curve joins the rates at all thresholds by straight lines.",
        "tpr(c) = #{s⁺ ≥ c} / m, fpr(c) = #{s⁻ ≥ c} / n",
        "Robin et al. 2011",
        (GoldenNumbers("curve"),),
    ),
    Requirement(
        "partial-auc",
        "The partial AUC is the area under the curve in a range of rates, raw or standardised.",
        "∫ tpr d fpr over the range; ½ (1 + (a − min) / (max − min))",
        "McClish 1989",
        (
            GoldenNumbers("partial-auc"),
            Enumerated("area of trapezoids", enumerated.area_of_trapezoids),
        ),
    ),
    Requirement(
        "average-precision",
        "The precision–recall area is the sum of precision times the steps in recall.",
        "Σ (R_k − R_{k−1}) P_k over thresholds",
        "Davis and Goadrich 2006",
        (
            GoldenNumbers("average-precision"),
            Enumerated("sum over thresholds", enumerated.precision_of_thresholds),
        ),
    ),
    Requirement(
        "within",
        "All pairs are the pairs within groups and the pairs between groups.",
        "A_within and A_between: the shares of correctly ordered pairs",
        "page labels",
        (Enumerated("both AUCs by counting pairs", enumerated.parts_of_pairs),),
    ),
    Requirement(
        "concordance",
        "The concordance is the share of correctly ordered pairs of different outcomes.",
        "(#{s > t} + ½ #{s = t}) over pairs with y > z",
        "Somers 1962",
        (Enumerated("concordance by counting pairs", enumerated.concordance_of_pairs),),
    ),
    Requirement(
        "ndcg",
        "NDCG is the discounted gain over that of the ideal order, averaged over tied documents.",
        "Σ g_r / log₂(1 + r), divided by its maximum",
        "Järvelin and Kekäläinen 2002",
        (
            GoldenNumbers("ndcg"),
            Enumerated("mean over all orders of tied documents", enumerated.ndcg_over_orders),
        ),
    ),
    Requirement(
        "lists",
        "Measures of ranked lists have the values of trec_eval.",
        "AP, RR, P@k, R-precision and bpref of each query",
        "Buckley and Voorhees 2004; page trec_eval",
        (
            GoldenNumbers("lists"),
            Enumerated("AP and RR over all orders of ties", enumerated.measures_over_orders),
        ),
    ),
    Requirement(
        "sign-flip",
        "The sign-flip test of few queries is exact.",
        "p = #{signs ε: |Σ ε d| ≥ |Σ d|} / 2ⁿ",
        "Fisher 1935",
        (Enumerated("p-values from all 2ⁿ signs", enumerated.p_values_of_signs),),
    ),
    Requirement(
        "power",
        "Planned sizes and power follow from the variance of a binormal AUC.",
        "z_power = (A − ½ − z_α s₀) / s₁, solved for any of its terms",
        "Obuchowski and McClish 1997; Obuchowski, Lieber and Wians 2004",
        (GoldenNumbers("power"),),
    ),
    Requirement(
        "pool",
        "Pooled AUCs follow from a model of random effects on the logit or the linear scale.",
        "Σ wᵢ yᵢ / Σ wᵢ, wᵢ = 1 / (vᵢ + τ²), with Hartung and Knapp's variance",
        "Hartung and Knapp 2001",
        (GoldenNumbers("pool"),),
    ),
    Requirement(
        "net-benefit",
        "The net benefit at a threshold weighs false positives by its odds.",
        "(TP − FP t / (1 − t)) / rows",
        "Vickers and Elkin 2006",
        (Enumerated("net benefits from the rows", enumerated.benefit_of_rows),),
    ),
    Requirement(
        "labelings",
        "The number of labelings that have a published AUC is exact.",
        "#{y ∈ {0, 1}ⁿ: A(y) = a}",
        "Whitehill 2019; page theorems/labelings",
        (
            GoldenNumbers("labelings"),
            Enumerated("labelings counted one by one", enumerated.labelings_by_listing),
        ),
    ),
    Requirement(
        "rates",
        "The limits of a rate at a given threshold are those of Clopper and Pearson.",
        "P(X ≥ k | p_low) = P(X ≤ k | p_high) = ½ (1 − level)",
        "Clopper and Pearson 1934",
        (Enumerated("binomial tails at the limits", enumerated.limits_of_rates),),
    ),
    Requirement(
        "certified-limits",
        "Certified limits of an AUC equal their closed forms.",
        "A − √(½ ln(1/δ)(1/m + 1/n)); A − √(ln(1/δ) / 2k); kl(A, a) = ln(1/δ) / k",
        "McDiarmid 1989; Hoeffding 1963; page theorems/auc-bounds",
        (Enumerated("three closed forms", enumerated.closed_bounds),),
    ),
    Requirement(
        "certified-coverage",
        "A certified 95 % interval contains the true value with probability .95 at least.",
        "P(low ≤ value ≤ high) ≥ .95 for every distribution",
        "page theorems/matchings",
        (
            ExactCoverage("exact coverage, 441 distributions of two scores"),
            Simulated("certified AUC of .8", simulated.one_auc(0.8, "certified"), CERTIFIED),
            Simulated("certified AUC of .98", simulated.one_auc(0.98, "certified"), CERTIFIED),
            Simulated("certified difference", simulated.difference("certified"), CERTIFIED),
            Simulated("certified PR area", simulated.precision_recall("certified"), CERTIFIED),
            Simulated("certified mean NDCG", simulated.mean_ndcg("certified"), CERTIFIED, 500),
            Simulated("an AUC of .95 excludes .5", simulated.above_chance("certified"), CERTIFIED),
            Simulated("certified AUC of many rows", simulated.many_rows, CERTIFIED),
            Simulated("many rows exclude .5", simulated.many_rows_above_chance, CERTIFIED),
            Simulated("certified net benefits", simulated.net_benefit, CERTIFIED),
            Simulated("certified ε", simulated.privacy_loss, CERTIFIED),
            Simulated("an ε of 3 excludes 0", simulated.privacy_loss_above_0, CERTIFIED),
        ),
    ),
    Requirement(
        "calibrated-coverage",
        "A 95 % interval contains the true value about as often as its level says.",
        ".93 ≤ P(low ≤ value ≤ high) ≤ .98 for ordinary data",
        "page coverage",
        (
            Simulated("AUC of .8", simulated.one_auc(0.8), CALIBRATED),
            Simulated("AUC of .98", simulated.one_auc(0.98), CALIBRATED),
            Simulated("AUC of clusters", simulated.clustered_auc, CALIBRATED),
            Simulated("AUC of clusters missed", simulated.clustered_auc_misses, MISSED),
            Simulated("difference of AUCs", simulated.difference("interval"), CALIBRATED),
            Simulated("PR area", simulated.precision_recall("interval"), CALIBRATED),
            Simulated("mean NDCG", simulated.mean_ndcg("interval"), CALIBRATED, 500),
            Simulated("AUC of .95 above .5", simulated.above_chance("interval"), CALIBRATED),
        ),
    ),
    Requirement(
        "false-positives",
        "Two equally good scores differ significantly in about 5 % of the samples.",
        "P(p > .05) ≥ .93 if A = B",
        "page compare",
        (Simulated("p-value above .05", simulated.equal_scores, CALIBRATED),),
    ),
    Requirement(
        "arithmetic",
        "The arithmetic of this machine is that of IEEE 754 doubles.",
        "53 bits, rounding to even, gradual underflow",
        "IEEE 754",
        (arithmetic,),
    ),
    Requirement(
        "versions",
        "Python and the dependencies have the required versions.",
        "installed ≥ declared",
        "metadata of the package",
        (versions_allowed,),
    ),
    Requirement(
        "files",
        "The installed files are those of the release.",
        "SHA-256 of each file = its hash in RECORD",
        "PEP 376",
        (recorded_files,),
    ),
)
