"""A leaderboard for a contest: answers, standings, receipts, entry points of platforms."""

from rocsolid.board.defences import defence_of, usual_defence
from rocsolid.board.leaderboard import BoardClosed, Leaderboard
from rocsolid.board.platforms import codabench, evalai, hugging_face
from rocsolid.board.receipts import Receipt
from rocsolid.board.standings import Standing
from rocsolid.board.verification import RecordCheck, Verification, verify

__all__ = [
    "BoardClosed", "Leaderboard", "Receipt", "RecordCheck", "Standing", "Verification", "codabench",
    "defence_of", "evalai", "hugging_face", "usual_defence", "verify",
]  # fmt: skip
