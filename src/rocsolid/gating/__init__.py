"""Decisions from a policy: rules for a score, under one error budget."""

from rocsolid.gating.decision import GateDecision
from rocsolid.gating.gate import gate
from rocsolid.gating.policy import Policy, Rule
from rocsolid.gating.rulings import Ruling

__all__ = ["GateDecision", "Policy", "Rule", "Ruling", "gate"]
