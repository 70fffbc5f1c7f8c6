"""Works on tests: of one difference or several, adjusted p-values, and random numbers."""

from __future__ import annotations

from rocsolid.citations.bibliography.kinds import article, book, paper

TESTS = (
    article("student1908", "Student", "The probable error of a mean", "Biometrika", 1908, "6",
            "1-25"),
    book("fisher1935", "Fisher, R. A.", "The Design of Experiments", "Oliver and Boyd", 1935),
    article(
        "hartigan1969", "Hartigan, J. A.", "Using subsample values as typical values",
        "Journal of the American Statistical Association", 1969, "64", "1303-1317",
    ),
    article(
        "bandos2005", "Bandos, A. I. and Rockette, H. E. and Gur, D.",
        "A permutation test sensitive to differences in areas for comparing ROC curves from a "
        "paired design",
        "Statistics in Medicine", 2005, "24", "2873-2893",
    ),
    article(
        "chung2013", "Chung, E. and Romano, J. P.",
        "Exact and asymptotically robust permutation tests",
        "Annals of Statistics", 2013, "41", "484-507",
    ),
    article(
        "romano2005", "Romano, J. P. and Wolf, M.",
        "Stepwise multiple testing as formalized data snooping",
        "Econometrica", 2005, "73", "1237-1282",
    ),
    article(
        "venkatraman1996", "Venkatraman, E. S. and Begg, C. B.",
        "A distribution-free procedure for comparing receiver operating characteristic curves "
        "from a paired experiment",
        "Biometrika", 1996, "83", "835-848",
    ),
    article(
        "venkatraman2000", "Venkatraman, E. S.",
        "A permutation test to compare receiver operating characteristic curves",
        "Biometrics", 2000, "56", "1134-1138",
    ),
    article(
        "holm1979", "Holm, S.", "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics", 1979, "6", "65-70",
    ),
    article(
        "schuirmann1987", "Schuirmann, D. J.",
        "A comparison of the two one-sided tests procedure and the power approach for assessing "
        "the equivalence of average bioavailability",
        "Journal of Pharmacokinetics and Biopharmaceutics", 1987, "15", "657-680",
    ),
    article(
        "phillips1990", "Phillips, K. F.",
        "Power of the two one-sided tests procedure in bioequivalence",
        "Journal of Pharmacokinetics and Biopharmaceutics", 1990, "18", "137-144",
    ),
    article(
        "berger1982", "Berger, R. L.",
        "Multiparameter hypothesis testing and acceptance sampling",
        "Technometrics", 1982, "24", "295-300",
    ),
    article(
        "mogstad2024", "Mogstad, M. and Romano, J. P. and Shaikh, A. M. and Wilhelm, D.",
        "Inference for ranks with applications to mobility across neighbourhoods and academic "
        "achievement across countries",
        "Review of Economic Studies", 2024, "91", "476-518",
    ),
    article(
        "andrews2024", "Andrews, I. and Kitagawa, T. and McCloskey, A.",
        "Inference on winners",
        "Quarterly Journal of Economics", 2024, "139", "305-358",
    ),
    book(
        "westfall1993", "Westfall, P. H. and Young, S. S.",
        "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        "Wiley", 1993,
    ),
    article(
        "chernozhukov2013", "Chernozhukov, V. and Chetverikov, D. and Kato, K.",
        "Gaussian approximations and multiplier bootstrap for maxima of sums of high-dimensional "
        "random vectors",
        "Annals of Statistics", 2013, "41", "2786-2819",
    ),
    article(
        "carterette2012", "Carterette, B.",
        "Multiple testing in statistical analysis of systems-based information retrieval "
        "experiments",
        "ACM Transactions on Information Systems", 2012, "30", "4:1-4:34",
        doi="10.1145/2094072.2094076",
    ),
    article(
        "hotelling1931", "Hotelling, H.", "The generalization of Student's ratio",
        "Annals of Mathematical Statistics", 1931, "2", "360-378",
    ),
    article(
        "box1954", "Box, G. E. P.",
        "Some theorems on quadratic forms applied in the study of analysis of variance problems, "
        "I. Effect of inequality of variance in the one-way classification",
        "Annals of Mathematical Statistics", 1954, "25", "290-302",
    ),
    article(
        "brunner1997", "Brunner, E. and Dette, H. and Munk, A.",
        "Box-type approximations in nonparametric factorial designs",
        "Journal of the American Statistical Association", 1997, "92", "1494-1502",
    ),
    article(
        "hartung2001", "Hartung, J. and Knapp, G.",
        "A refined method for the meta-analysis of controlled clinical trials with binary outcome",
        "Statistics in Medicine", 2001, "20", "3875-3889",
    ),
    article(
        "sidik2002", "Sidik, K. and Jonkman, J. N.",
        "A simple confidence interval for meta-analysis",
        "Statistics in Medicine", 2002, "21", "3153-3159",
    ),
    article(
        "higgins2009", "Higgins, J. P. T. and Thompson, S. G. and Spiegelhalter, D. J.",
        "A re-evaluation of random-effects meta-analysis",
        "Journal of the Royal Statistical Society, Series A", 2009, "172", "137-159",
    ),
    article(
        "welch1951", "Welch, B. L.",
        "On the comparison of several mean values: an alternative approach",
        "Biometrika", 1951, "38", "330-336",
    ),
    paper(
        "salmon2011", "Salmon, J. K. and Moraes, M. A. and Dror, R. O. and Shaw, D. E.",
        "Parallel random numbers: as easy as 1, 2, 3",
        "International Conference for High Performance Computing, Networking, Storage and Analysis",
        2011,
    ),
)  # fmt: skip
