"""Works on learning scorers, and on the information in released scores."""

from __future__ import annotations

from rocsolid.citations.bibliography.kinds import article, paper, preprint

_ICML = "International Conference on Machine Learning"

LEARNING = (
    article(
        "freund2003", "Freund, Y. and Iyer, R. and Schapire, R. E. and Singer, Y.",
        "An efficient boosting algorithm for combining preferences",
        "Journal of Machine Learning Research", 2003, "4", "933-969",
    ),
    paper(
        "herbrich2000", "Herbrich, R. and Graepel, T. and Obermayer, K.",
        "Large margin rank boundaries for ordinal regression",
        "Advances in Large Margin Classifiers, MIT Press", 2000, "115-132",
    ),
    paper(
        "joachims2002", "Joachims, T.", "Optimizing search engines using clickthrough data",
        "ACM SIGKDD Conference on Knowledge Discovery and Data Mining", 2002, "133-142",
    ),
    article(
        "chapelle2010", "Chapelle, O. and Keerthi, S. S.",
        "Efficient algorithms for ranking with SVMs",
        "Information Retrieval", 2010, "13", "201-215",
    ),
    paper(
        "cao2007", "Cao, Z. and Qin, T. and Liu, T.-Y. and Tsai, M.-F. and Li, H.",
        "Learning to rank: from pairwise approach to listwise approach", _ICML, 2007, "129-136",
    ),
    paper(
        "ravikumar2011", "Ravikumar, P. and Tewari, A. and Yang, E.",
        "On NDCG consistency of listwise ranking methods",
        "International Conference on Artificial Intelligence and Statistics", 2011, "618-626",
    ),
    article(
        "rudin2009", "Rudin, C.",
        "The P-norm push: a simple convex ranking algorithm that concentrates at the top of the "
        "list",
        "Journal of Machine Learning Research", 2009, "10", "2233-2271",
    ),
    paper(
        "gao2013", "Gao, W. and Jin, R. and Zhu, S. and Zhou, Z.-H.",
        "One-pass AUC optimization", _ICML, 2013, "906-914",
    ),
    article(
        "narasimhan2017", "Narasimhan, H. and Agarwal, S.",
        "Support vector algorithms for optimizing the partial area under the ROC curve",
        "Neural Computation", 2017, "29", "1919-1963",
    ),
    paper(
        "whitehill2016", "Whitehill, J.",
        "Exploiting an oracle that reports AUC scores in machine learning contests",
        "AAAI Conference on Artificial Intelligence", 2016,
    ),
    article(
        "whitehill2019", "Whitehill, J.",
        "How does knowledge of the AUC constrain the set of possible ground-truth labelings?",
        "Proceedings of the AAAI Conference on Artificial Intelligence", 2019, "33", "5425-5432",
        doi="10.1609/aaai.v33i01.33015425",
        also=(
            "How does knowledge of the AUC constrain the set of possible ground-truth labelings?, "
            "AAAI 2019, arXiv 1709.02418",
        ),
    ),
    article(
        "matthews2013", "Matthews, G. J. and Harel, O.",
        "An examination of data confidentiality and disclosure issues related to publication of "
        "empirical ROC curves",
        "Academic Radiology", 2013, "20", "889-896",
    ),
    preprint(
        "stoddard2014", "Stoddard, B. and Chen, Y. and Machanavajjhala, A.",
        "Differentially private algorithms for empirical machine learning", 2014, "1411.5428",
    ),
    preprint(
        "zheng2015", "Zheng, W.", "Toward a better understanding of leaderboard", 2015,
        "1510.03349",
    ),
    paper(
        "blum2015", "Blum, A. and Hardt, M.",
        "The Ladder: a reliable leaderboard for machine learning competitions",
        _ICML, 2015, "1006-1014",
    ),
    preprint(
        "neto2016",
        "Neto, E. C. and Hoff, B. R. and Bare, C. and Bot, B. M. and Yu, T. and Magravite, L. and "
        "Trister, A. D. and Norman, T. and Meyer, P. and Saez-Rodrigues, J. and Costello, J. C. "
        "and Guinney, J. and Stolovitzky, G.",
        "Reducing overfitting in challenge-based competitions", 2016, "1607.00091",
    ),
    preprint(
        "hardt2017", "Hardt, M.",
        "Climbing a shaky ladder: better adaptive risk estimation", 2017, "1706.02733",
    ),
    article(
        "dwork2015",
        "Dwork, C. and Feldman, V. and Hardt, M. and Pitassi, T. and Reingold, O. and Roth, A.",
        "The reusable holdout: preserving validity in adaptive data analysis",
        "Science", 2015, "349", "636-638",
    ),
    paper(
        "canonne2020", "Canonne, C. L. and Kamath, G. and Steinke, T.",
        "The discrete Gaussian for differential privacy",
        "Advances in Neural Information Processing Systems 33", 2020,
    ),
)  # fmt: skip
