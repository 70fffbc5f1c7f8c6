"""``rocsolid leak``: what published scores reveal about the labels behind them."""

from __future__ import annotations

from cyclopts import App

from rocsolid.cli.leak.count import count
from rocsolid.cli.leak.joint import joint
from rocsolid.cli.leak.question import plan
from rocsolid.cli.leak.replay import replay
from rocsolid.cli.lists import shown

leak = App(name="leak", **shown("leak"))
leak.command(count)
leak.command(joint)
leak.command(plan)
leak.command(replay)

__all__ = ["leak"]
