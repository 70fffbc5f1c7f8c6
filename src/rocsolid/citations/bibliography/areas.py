"""Works on areas under the ROC curve: definition, variance, intervals and planning."""

from __future__ import annotations

from rocsolid.citations.bibliography.kinds import article, book, paper, post, preprint, report

_BIOMETRICS = "Biometrics"
_BIOMETRIKA = "Biometrika"
_JASA = "Journal of the American Statistical Association"
_MEDICINE = "Statistics in Medicine"

AREAS = (
    article(
        "ledell2015", "LeDell, E. and Petersen, M. and van der Laan, M.",
        "Computationally efficient confidence intervals for cross-validated area under the ROC "
        "curve estimates",
        "Electronic Journal of Statistics", 2015, "9", "1583-1607", doi="10.1214/15-EJS1035",
    ),
    article(
        "nadeau2003", "Nadeau, C. and Bengio, Y.", "Inference for the generalization error",
        "Machine Learning", 2003, "52", "239-281", doi="10.1023/A:1024068626366",
    ),
    article(
        "hanley1982", "Hanley, J. A. and McNeil, B. J.",
        "The meaning and use of the area under a receiver operating characteristic (ROC) curve",
        "Radiology", 1982, "143", "29-36", doi="10.1148/radiology.143.1.7063747",
    ),
    article(
        "hanley1983", "Hanley, J. A. and McNeil, B. J.",
        "A method of comparing the areas under receiver operating characteristic curves derived "
        "from the same cases",
        "Radiology", 1983, "148", "839-843", doi="10.1148/radiology.148.3.6878708",
        also=("148 (1983), 839-843",),
    ),
    article(
        "delong1988", "DeLong, E. R. and DeLong, D. M. and Clarke-Pearson, D. L.",
        "Comparing the areas under two or more correlated receiver operating characteristic "
        "curves: a nonparametric approach",
        _BIOMETRICS, 1988, "44", "837-845", doi="10.2307/2531595",
    ),
    article(
        "mcclish1989", "McClish, D. K.", "Analyzing a portion of the ROC curve",
        "Medical Decision Making", 1989, "9", "190-195",
    ),
    article(
        "yang2019", "Yang, H. and Lu, K. and Lyu, X. and Hu, F.",
        "Two-way partial AUC and its properties",
        "Statistical Methods in Medical Research", 2019, "28", "184-195",
    ),
    paper(
        "maurer2020", "Maurer, A. and Pontil, M.",
        "Estimating weighted areas under the ROC curve",
        "Advances in Neural Information Processing Systems 33", 2020,
    ),
    paper(
        "cortes2003", "Cortes, C. and Mohri, M.", "AUC optimization vs. error rate minimization",
        "Advances in Neural Information Processing Systems 16", 2003,
    ),
    paper(
        "cortes2004", "Cortes, C. and Mohri, M.",
        "Confidence intervals for the area under the ROC curve",
        "Advances in Neural Information Processing Systems 17", 2004, "305-312",
    ),
    post(
        "konstantin2011", "Konstantin", "ROC AUC is the average positive rank", 2011,
        "post in a blog, 12 October 2011",
    ),
    article(
        "truchon2007", "Truchon, J.-F. and Bayly, C. I.",
        "Evaluating virtual screening methods: good and bad metrics for the "
        '"early recognition" problem',
        "Journal of Chemical Information and Modeling", 2007, "47", "488-508",
    ),
    paper(
        "davis2006", "Davis, J. and Goadrich, M.",
        "The relationship between precision-recall and ROC curves",
        "Proceedings of the 23rd International Conference on Machine Learning", 2006, "233-240",
    ),
    paper(
        "boyd2013", "Boyd, K. and Eng, K. H. and Page, C. D.",
        "Area under the precision-recall curve: point estimates and confidence intervals",
        "Machine Learning and Knowledge Discovery in Databases (ECML PKDD)", 2013, "451-466",
    ),
    article(
        "keilwagen2014", "Keilwagen, J. and Grosse, I. and Grau, J.",
        "Area under precision-recall curves for weighted and unweighted data",
        "PLoS ONE", 2014, "9", "92209",
    ),
    article(
        "handtill2001", "Hand, D. J. and Till, R. J.",
        "A simple generalisation of the area under the ROC curve for multiple class "
        "classification problems",
        "Machine Learning", 2001, "45", "171-186",
    ),
    article(
        "harrell1982", "Harrell, F. E. and Califf, R. M. and Pryor, D. B. and Lee, K. L. and "
        "Rosati, R. A.",
        "Evaluating the yield of medical tests",
        "JAMA", 1982, "247", "2543-2546", doi="10.1001/jama.1982.03320430047030",
    ),
    article(
        "nakas2004", "Nakas, C. T. and Yiannoutsos, C. T.",
        "Ordered multiple-class ROC analysis with continuous measurements",
        "Statistics in Medicine", 2004, "23", "3437-3449", doi="10.1002/sim.1917",
    ),
    article(
        "dreiseitl2000", "Dreiseitl, S. and Ohno-Machado, L. and Binder, M.",
        "Comparing three-class diagnostic tests by three-way ROC analysis",
        "Medical Decision Making", 2000, "20", "323-331", doi="10.1177/0272989X0002000309",
    ),
    article(
        "somers1962", "Somers, R. H.",
        "A new asymmetric measure of association for ordinal variables",
        "American Sociological Review", 1962, "27", "799-811", doi="10.2307/2090408",
    ),
    report(
        "provost2000", "Provost, F. and Domingos, P.",
        "Well-trained PETs: improving probability estimation trees",
        "Stern School of Business, New York University", 2000, "CeDER working paper IS-00-04",
    ),
    book(
        "pepe2003", "Pepe, M. S.",
        "The Statistical Evaluation of Medical Tests for Classification and Prediction",
        "Oxford University Press", 2003,
    ),
    article(
        "newcombe2006", "Newcombe, R. G.",
        "Confidence intervals for an effect size measure based on the Mann-Whitney statistic. "
        "Part 2: asymptotic methods and evaluation",
        _MEDICINE, 2006, "25", "559-573", doi="10.1002/sim.2324",
    ),
    article(
        "newcombe1998", "Newcombe, R. G.",
        "Interval estimation for the difference between independent proportions: comparison of "
        "eleven methods",
        _MEDICINE, 1998, "17", "873-890",
    ),
    article(
        "donner2012", "Donner, A. and Zou, G. Y.",
        "Closed-form confidence intervals for functions of the normal mean and standard deviation",
        "Statistical Methods in Medical Research", 2012, "21", "347-359",
    ),
    article(
        "zou2008", "Zou, G. Y. and Donner, A.",
        "Construction of confidence limits about effect measures: a general approach",
        _MEDICINE, 2008, "27", "1693-1702",
    ),
    article(
        "woodruff1952", "Woodruff, R. S.",
        "Confidence intervals for medians and other position measures", _JASA, 1952, "47",
        "635-646",
    ),
    article(
        "wilson1927", "Wilson, E. B.",
        "Probable inference, the law of succession, and statistical inference",
        _JASA, 1927, "22", "209-212",
    ),
    article(
        "welch1947", "Welch, B. L.",
        "The generalization of Student's problem when several different population variances are "
        "involved",
        _BIOMETRIKA, 1947, "34", "28-35",
    ),
    article(
        "obuchowski1997", "Obuchowski, N. A.", "Nonparametric analysis of clustered ROC curve data",
        _BIOMETRICS, 1997, "53", "567-578", doi="10.2307/2533958",
    ),
    article(
        "obuchowskimcclish1997", "Obuchowski, N. A. and McClish, D. K.",
        "Sample size determination for diagnostic accuracy studies involving binormal ROC curve "
        "indices",
        _MEDICINE, 1997, "16", "1529-1542",
    ),
    article(
        "obuchowski2004", "Obuchowski, N. A. and Lieber, M. L. and Wians, F. H.",
        "ROC curves in clinical chemistry: uses, misuses, and possible solutions",
        "Clinical Chemistry", 2004, "50", "1118-1125",
    ),
    paper(
        "birnbaum1956", "Birnbaum, Z. W.", "On a use of the Mann-Whitney statistic",
        "Proceedings of the Third Berkeley Symposium on Mathematical Statistics and Probability 1",
        1956, "13-17",
    ),
    article(
        "robin2011",
        "Robin, X. and Turck, N. and Hainard, A. and Tiberti, N. and Lisacek, F. and "
        "Sanchez, J.-C. and Müller, M.",
        "pROC: an open-source package for R and S+ to analyze and compare ROC curves",
        "BMC Bioinformatics", 2011, "12", "77", doi="10.1186/1471-2105-12-77",
    ),
    article(
        "efron1979", "Efron, B.", "Bootstrap methods: another look at the jackknife",
        "Annals of Statistics", 1979, "7", "1-26",
    ),
    article(
        "efron1987", "Efron, B.", "Better bootstrap confidence intervals",
        _JASA, 1987, "82", "171-185",
    ),
    book(
        "efrontibshirani1993", "Efron, B. and Tibshirani, R. J.",
        "An Introduction to the Bootstrap", "Chapman and Hall", 1993,
    ),
    book("hall1992", "Hall, P.", "The Bootstrap and Edgeworth Expansion", "Springer", 1992),
    article(
        "angelopoulos2023a",
        "Angelopoulos, A. N. and Bates, S. and Fannjiang, C. and Jordan, M. I. and Zrnic, T.",
        "Prediction-powered inference",
        "Science", 2023, "382", "669-674", doi="10.1126/science.adi6000", letter="a",
    ),
    preprint(
        "angelopoulos2023b", "Angelopoulos, A. N. and Duchi, J. C. and Zrnic, T.",
        "PPI++: efficient prediction-powered inference", 2023, "2311.01453", letter="b",
    ),
    paper(
        "kairouz2015", "Kairouz, P. and Oh, S. and Viswanath, P.",
        "The composition theorem for differential privacy",
        "Proceedings of the 32nd International Conference on Machine Learning", 2015, "1376-1385",
    ),
    article(
        "vickers2006", "Vickers, A. J. and Elkin, E. B.",
        "Decision curve analysis: a novel method for evaluating prediction models",
        "Medical Decision Making", 2006, "26", "565-574",
    ),
    article(
        "youden1950", "Youden, W. J.", "Index for rating diagnostic tests",
        "Cancer", 1950, "3", "32-35",
    ),
    article(
        "dorfman1969", "Dorfman, D. D. and Alf, E.",
        "Maximum-likelihood estimation of parameters of signal-detection theory and determination "
        "of confidence intervals: rating-method data",
        "Journal of Mathematical Psychology", 1969, "6", "487-496",
    ),
    article(
        "metz1998", "Metz, C. E. and Herman, B. A. and Shen, J.-H.",
        "Maximum likelihood estimation of receiver operating characteristic (ROC) curves from "
        "continuously-distributed data",
        _MEDICINE, 1998, "17", "1033-1053",
    ),
    book(
        "silverman1986", "Silverman, B. W.",
        "Density Estimation for Statistics and Data Analysis", "Chapman and Hall", 1986,
    ),
)  # fmt: skip
