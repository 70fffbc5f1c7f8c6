"""Guards, defences and ledgers between a metric and the accounts that query it."""

from rocsolid.leaks.release.answered import transcript_bits
from rocsolid.leaks.release.budget import (
    BudgetSpent,
    Gaussian,
    Laplace,
    epsilon_of_rho,
    rho_of_epsilon,
    rho_of_epsilon_delta,
)
from rocsolid.leaks.release.defence import (
    Answer,
    Binned,
    Defence,
    Exact,
    Past,
    Placed,
    Rounded,
    Submission,
    submission,
)
from rocsolid.leaks.release.gate import (
    Gate,
    Ledger,
    RefusedSubmission,
    ReleasedAnswer,
    check_ranking,
)
from rocsolid.leaks.release.ladder import (
    BootstrappedLadder,
    Ladder,
    ParameterFreeLadder,
    ShakyLadder,
)
from rocsolid.leaks.release.noisy_curve import PrivateCurve, private_curve
from rocsolid.leaks.release.thresholdout import Thresholdout

__all__ = [
    "Answer",
    "Binned",
    "BootstrappedLadder",
    "BudgetSpent",
    "Defence",
    "Exact",
    "Gate",
    "Gaussian",
    "Ladder",
    "Laplace",
    "Ledger",
    "ParameterFreeLadder",
    "Past",
    "Placed",
    "PrivateCurve",
    "RefusedSubmission",
    "ReleasedAnswer",
    "Rounded",
    "ShakyLadder",
    "Submission",
    "Thresholdout",
    "check_ranking",
    "epsilon_of_rho",
    "private_curve",
    "rho_of_epsilon",
    "rho_of_epsilon_delta",
    "submission",
    "transcript_bits",
]  # fmt: skip
