"""The page of ``rocsolid study bounds``: the tables as charts, with what to see in them."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.report import Note, Page
from rocsolid.report.line_chart import Line, LineChart
from rocsolid.report.study_page import ChartGroup, render_study
from rocsolid.study.figures import FIXED_SCORER, LINE
from rocsolid.study.gaussians import LEARNER
from rocsolid.study.table import Table

_SHAPE = {
    "training AUC": "training_auc",
    "test AUC": "test_auc",
    "Corollary 18": "corollary_18_low",
    "block-VC": "block_vc_low",
}
_CLOSE = {
    "training AUC": "training_auc",
    "test AUC": "test_auc",
    "PAC-Bayes (randomised scorer)": "pac_bayes_low",
    "hinge on the test rows": "test_hinge_low",
}


def page(
    tables: Mapping[str, Table],
    *,
    delta: float,
    source: str,
    facts: tuple[tuple[str, str], ...],
    command: str,
) -> str:
    """The page as one HTML text."""
    frame = Page(
        title="Bounds for the AUC: the figures of 2005, and tighter ones",
        lead=(
            "How far can the AUC of a sample be from the true one, whatever the distribution? The "
            "figures and the experiment of the 2005 paper, recomputed from its formulas at "
            f"δ = {delta:g}, with the tightest bounds of rocsolid beside them.",
        ),
        answers=(),
        rows=(),
        notes=_notes(source),
        facts=facts,
        command=command,
    )
    return render_study(frame, _groups(tables))


def _groups(tables: Mapping[str, Table]) -> tuple[ChartGroup, ...]:
    return (
        ChartGroup(
            "Figure 1: one scorer, fixed beforehand",
            (
                "The AUC of the sample is farther than ε from the true one with probability at "
                "most δ. Chebyshev and the normal approximation use the largest variance there is; "
                "the normal approximation is no guarantee. Kl and hinge are at their worst AUC, "
                "about one half: nearer to 0 or 1 they are much smaller.",
                "McDiarmid's inequality is never below Hoeffding's for blocks: they meet only as "
                "one class becomes rare.",
            ),
            tuple(
                LineChart(
                    f"m/(m+n) = {fraction:g}",
                    "Sample size m+n",
                    "Deviation ε",
                    part.column("n"),
                    tuple(Line(name, part.column(name)) for name in FIXED_SCORER),
                    log_x=True,
                    log_y=True,
                )
                for fraction, part in tables["figure_1"].parts("positive_fraction")
            ),
        ),
        ChartGroup(
            "Figure 2: what the AUC costs over the error rate",
            (
                "By McDiarmid's and Hoeffding's inequalities the AUC needs 1/(ρ(1−ρ)) times the "
                "test rows of the error rate for the same ε and δ, ρ the share of positives.",
            ),
            (
                LineChart(
                    "Factor 1/(ρ(1−ρ))",
                    "Share of positives ρ",
                    "Times as many rows",
                    tables["figure_2"].column("positive_fraction"),
                    (Line("1/(ρ(1−ρ))", tables["figure_2"].column("factor")),),
                    log_y=True,
                    levels=((4.0, "4, the least"),),
                ),
            ),
        ),
        ChartGroup(
            "Figure 3: every linear scorer on a line at once",
            (
                "Bounds that hold for all f(x) = wx+b together, so also for the one that was "
                "trained: Freund et al. (Theorem 27, s = 4N+1), the paper's own from rank-shatter "
                "coefficients (Corollary 18, r = 3), and block-VC. Above ½ a bound says little.",
            ),
            tuple(
                LineChart(
                    f"m/(m+n) = {fraction:g}",
                    "Sample size m+n",
                    "Deviation ε",
                    part.column("n"),
                    tuple(Line(name, part.column(name)) for name in LINE),
                    log_x=True,
                    log_y=True,
                    levels=((0.5, "½"),),
                )
                for fraction, part in tables["figure_3"].parts("positive_fraction")
            ),
        ),
        ChartGroup(
            "Section 4.5: trained scorers in 20 dimensions",
            (
                f"Twelve training sequences (table 3 of the paper). The learner is {LEARNER}, as "
                "in the paper, which does not say how many rounds it took. Its means and variances "
                "were other draws, so the values differ from its figure 4, and the shapes can be "
                "compared. A lower limit below 0 says nothing; it is drawn where it falls.",
            ),
            (_sequences("Limits from the training rows", tables["experiment"], _SHAPE),
             _sequences("Limits that say something", tables["experiment"], _CLOSE)),
        ),
    )  # fmt: skip


def _sequences(title: str, table: Table, lines: Mapping[str, str]) -> LineChart:
    return LineChart(
        title,
        "Training sequence",
        "AUC, or lower limit for it",
        table.column("sequence"),
        tuple(Line(name, table.column(column)) for name, column in lines.items()),
        levels=((0.5, "chance"),),
        points=True,
    )


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "The paper's bounds",
            "McDiarmid: Theorem 5. Chebyshev and normal: (11) and (13) with (14). Corollary 18 and "
            "Theorem 27 for all scorers of a class; in 20 dimensions with the count of Theorem 24, "
            "as in the paper (the tables also have it with the exact number of regions).",
            ("rows independent", "scorer, or class of scorers, fixed before the rows were seen"),
            source,
        ),
        Note(
            "Hoeffding for blocks, kl, hinge, block-VC",
            "The AUC is an average of means of min(m, n) independent pairs, so bounds for such a "
            "mean hold for it.",
            ("rows independent", "rows of one class identically distributed"),
            "Hoeffding 1963, section 5; Vapnik and Chervonenkis 1971",
        ),
        Note(
            "PAC-Bayes",
            "A limit for the scorer that draws its weights anew around the trained ones for each "
            "comparison, not for the trained scorer itself.",
            ("rows independent", "rows of one class identically distributed"),
            "Langford and Seeger 2001; Maurer 2004",
        ),
        Note(
            "The data of section 4.5",
            "Each class is a mixture of two Gaussians with equal weights (the paper does not say "
            "which), every mean and every variance uniform on (0, 1). All training sequences and "
            "the test rows come from the same two mixtures, drawn once from the seed.",
        ),
    )
