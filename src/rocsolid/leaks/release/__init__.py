"""What a host puts in front of the metric: guard, defence, ledger."""

from rocsolid.leaks.release.accountant import epsilon_of_rho, rho_of_epsilon, rho_of_epsilon_delta
from rocsolid.leaks.release.bootstrapped_ladder import BootstrappedLadder
from rocsolid.leaks.release.budget import BudgetSpent
from rocsolid.leaks.release.defence import (
    Answer,
    Defence,
    Exact,
    Past,
    Placed,
    Submission,
    submission,
)
from rocsolid.leaks.release.gate import Gate, RefusedSubmission, check_ranking
from rocsolid.leaks.release.ladder import Ladder
from rocsolid.leaks.release.ledger import Ledger, Told
from rocsolid.leaks.release.parameter_free_ladder import ParameterFreeLadder
from rocsolid.leaks.release.private_auc import Gaussian, Laplace
from rocsolid.leaks.release.rounding import Binned, Rounded
from rocsolid.leaks.release.shaky_ladder import ShakyLadder
from rocsolid.leaks.release.thresholdout import Thresholdout
from rocsolid.leaks.release.transcript import transcript_bits

__all__ = [
    "Answer", "Binned", "BootstrappedLadder", "BudgetSpent", "Defence", "Exact", "Gate", "Gaussian",
    "Ladder", "Laplace", "Ledger", "ParameterFreeLadder", "Past", "Placed", "RefusedSubmission",
    "Rounded", "ShakyLadder", "Submission", "Thresholdout", "Told", "check_ranking",
    "epsilon_of_rho", "rho_of_epsilon", "rho_of_epsilon_delta", "submission", "transcript_bits",
]  # fmt: skip
