"""Works behind certified results: bounds, bands and sequences for every distribution."""

from __future__ import annotations

from rocsolid.citations.bibliography.kinds import article, book, paper, preprint, report

_JMLR = "Journal of Machine Learning Research"

GUARANTEES = (
    article(
        "agarwal2005",
        "Agarwal, S. and Graepel, T. and Herbrich, R. and Har-Peled, S. and Roth, D.",
        "Generalization bounds for the area under the ROC curve", _JMLR, 2005, "6", "393-425",
    ),
    article(
        "agarwal2009", "Agarwal, S. and Niyogi, P.",
        "Generalization bounds for ranking algorithms via algorithmic stability",
        _JMLR, 2009, "10", "441-474",
    ),
    article(
        "bousquet2002", "Bousquet, O. and Elisseeff, A.",
        "Stability and generalization", _JMLR, 2002, "2", "499-526",
    ),
    article(
        "hoeffding1963", "Hoeffding, W.",
        "Probability inequalities for sums of bounded random variables",
        "Journal of the American Statistical Association", 1963, "58", "13-30",
    ),
    article(
        "shevtsova2010", "Shevtsova, I. G.",
        "An improvement of convergence rate estimates in the Lyapunov theorem",
        "Doklady Mathematics", 2010, "82", "862-864",
    ),
    paper(
        "mcdiarmid1989", "McDiarmid, C.", "On the method of bounded differences",
        "Surveys in Combinatorics 1989, Cambridge University Press", 1989, "148-188",
    ),
    article(
        "waudbysmith2024", "Waudby-Smith, I. and Ramdas, A.",
        "Estimating means of bounded random variables by betting",
        "Journal of the Royal Statistical Society Series B", 2024, "86", "1-27",
        doi="10.1093/jrsssb/qkad009",
    ),
    book(
        "ville1939", "Ville, J.", "Étude critique de la notion de collectif",
        "Gauthier-Villars", 1939,
    ),
    article(
        "berk1966", "Berk, R. H.",
        "Limiting behavior of posterior distributions when the model is incorrect",
        "Annals of Mathematical Statistics", 1966, "37", "51-58",
    ),
    article(
        "clopper1934", "Clopper, C. J. and Pearson, E. S.",
        "The use of confidence or fiducial limits illustrated in the case of the binomial",
        "Biometrika", 1934, "26", "404-413",
    ),
    article(
        "massart1990", "Massart, P.",
        "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality",
        "Annals of Probability", 1990, "18", "1269-1283",
    ),
    article(
        "egorychev1981", "Egorychev, G. P.",
        "The solution of van der Waerden's problem for permanents",
        "Advances in Mathematics", 1981, "42", "299-305",
    ),
    article(
        "falikman1981", "Falikman, D. I.",
        "Proof of the van der Waerden conjecture regarding the permanent of a doubly stochastic "
        "matrix",
        "Mathematical Notes of the Academy of Sciences of the USSR", 1981, "29", "475-479",
    ),
    article(
        "berkjones1979", "Berk, R. H. and Jones, D. H.",
        "Goodness-of-fit test statistics that dominate the Kolmogorov statistics",
        "Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete", 1979, "47", "47-59",
    ),
    article(
        "campbell1994", "Campbell, G.",
        "Advances in statistical methodology for the evaluation of diagnostic and laboratory tests",
        "Statistics in Medicine", 1994, "13", "499-508",
    ),
    article(
        "vapnik1971", "Vapnik, V. N. and Chervonenkis, A. Y.",
        "On the uniform convergence of relative frequencies of events to their probabilities",
        "Theory of Probability and Its Applications", 1971, "16", "264-280",
    ),
    article(
        "cover1965", "Cover, T. M.",
        "Geometrical and statistical properties of systems of linear inequalities with "
        "applications in pattern recognition",
        "IEEE Transactions on Electronic Computers", 1965, "EC-14", "326-334",
    ),
    report(
        "littlestone1986", "Littlestone, N. and Warmuth, M. K.",
        "Relating data compression and learnability", "University of California, Santa Cruz", 1986,
    ),
    report(
        "langford2001", "Langford, J. and Seeger, M.", "Bounds for averaging classifiers",
        "Carnegie Mellon University", 2001, "CMU-CS-01-102",
    ),
    preprint(
        "maurer2004", "Maurer, A.", "A note on the PAC Bayesian theorem", 2004, "cs/0411099"
    ),
    article(
        "lorenzen2019", "Lorenzen, S. S. and Igel, C. and Seldin, Y.",
        "On PAC-Bayesian bounds for random forests", "Machine Learning", 2019, "108", "1503-1522",
    ),
    article(
        "koltchinskii2002", "Koltchinskii, V. and Panchenko, D.",
        "Empirical margin distributions and bounding the generalization error of combined "
        "classifiers",
        "Annals of Statistics", 2002, "30", "1-50",
    ),
    article(
        "bartlett2002", "Bartlett, P. L. and Mendelson, S.",
        "Rademacher and Gaussian complexities: risk bounds and structural results",
        _JMLR, 2002, "3", "463-482",
    ),
)  # fmt: skip
