"""Works on ranked lists: measures and their limits for long lists."""

from __future__ import annotations

from rocsolid.citations.bibliography.kinds import article, book, paper, preprint

_SIGIR = "ACM SIGIR Conference on Research and Development in Information Retrieval"

LISTS = (
    article(
        "jarvelin2002", "Järvelin, K. and Kekäläinen, J.",
        "Cumulated gain-based evaluation of IR techniques",
        "ACM Transactions on Information Systems", 2002, "20", "422-446",
        doi="10.1145/582415.582418",
    ),
    paper(
        "burges2005",
        "Burges, C. and Shaked, T. and Renshaw, E. and Lazier, A. and Deeds, M. and Hamilton, N. "
        "and Hullender, G.",
        "Learning to rank using gradient descent",
        "International Conference on Machine Learning", 2005, "89-96",
    ),
    paper(
        "mcsherry2008", "McSherry, F. and Najork, M.",
        "Computing information retrieval performance measures efficiently in the presence of tied "
        "scores",
        "European Conference on Information Retrieval", 2008, "414-421",
    ),
    book(
        "manning2008", "Manning, C. D. and Raghavan, P. and Schütze, H.",
        "Introduction to Information Retrieval", "Cambridge University Press", 2008,
    ),
    paper(
        "voorhees1999", "Voorhees, E. M.", "The TREC-8 question answering track report",
        "Text REtrieval Conference (TREC-8)", 1999, "77-82",
    ),
    paper(
        "chapelle2009", "Chapelle, O. and Metzler, D. and Zhang, Y. and Grinspan, P.",
        "Expected reciprocal rank for graded relevance",
        "ACM Conference on Information and Knowledge Management", 2009, "621-630",
        doi="10.1145/1645953.1646033",
    ),
    article(
        "moffat2008", "Moffat, A. and Zobel, J.",
        "Rank-biased precision for measurement of retrieval effectiveness",
        "ACM Transactions on Information Systems", 2008, "27", "2:1-2:27",
        doi="10.1145/1416950.1416952",
    ),
    paper(
        "buckley2004", "Buckley, C. and Voorhees, E. M.",
        "Retrieval evaluation with incomplete information", _SIGIR, 2004, "25-32",
    ),
    paper(
        "wang2013",
        "Wang, Y. and Wang, L. and Li, Y. and He, D. and Liu, T.-Y. and Chen, W.",
        "A theoretical analysis of NDCG type ranking measures",
        "Conference on Learning Theory", 2013, "25-54",
    ),
    preprint("qin2013", "Qin, T. and Liu, T.-Y.", "Introducing LETOR 4.0 datasets", 2013,
             "1306.2597"),
    article(
        "sakai2016", "Sakai, T.", "Topic set size design",
        "Information Retrieval Journal", 2016, "19", "256-283",
    ),
    paper(
        "sakai2006", "Sakai, T.", "Evaluating evaluation metrics based on the bootstrap",
        _SIGIR, 2006, "525-532",
    ),
    paper(
        "voorhees2002", "Voorhees, E. M. and Buckley, C.",
        "The effect of topic set size on retrieval experiment error", _SIGIR, 2002, "316-323",
    ),
)  # fmt: skip
