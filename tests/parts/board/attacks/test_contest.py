from __future__ import annotations

from pathlib import Path

import pytest
from contest import contest


@pytest.mark.slow
def test_every_answer_is_on_record_while_workers_are_killed(
    board_name: str, tmp_path: Path
) -> None:
    told = contest(tmp_path, board_name, teams=12, submissions=200, clients=8, kills=5, crashes=1)
    assert len(told.receipts) >= 150
    assert told.statuses[403] >= 5
