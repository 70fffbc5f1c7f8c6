"""A leaderboard for a contest: answers, standings, receipts, entry points of platforms."""

from rocsolid.board.defences import usual_defence
from rocsolid.board.leaderboard import BoardClosed, Leaderboard
from rocsolid.board.platforms import codabench, evalai, hugging_face
from rocsolid.board.receipts import verify
from rocsolid.public_names import install_lookup

__all__ = [
    "BoardClosed", "Leaderboard", "codabench", "evalai", "hugging_face", "usual_defence", "verify",
]  # fmt: skip
install_lookup(__name__)
