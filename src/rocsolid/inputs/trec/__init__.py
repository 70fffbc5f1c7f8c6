"""TREC runs and judgements, and other data with a query, a document and a number per row."""

from rocsolid.inputs.trec.audit import Audit
from rocsolid.inputs.trec.judged_run import JudgedRun, JudgedRuns, judge, read_runs
from rocsolid.inputs.trec.run import Duplicates, Qrels, Run, read_qrels, read_run

__all__ = [
    "Audit", "Duplicates", "JudgedRun", "JudgedRuns", "Qrels", "Run", "judge", "read_qrels",
    "read_run", "read_runs",
]  # fmt: skip
