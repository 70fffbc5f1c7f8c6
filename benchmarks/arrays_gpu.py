"""Exact AUC with both intervals of scores on a GPU, against torchmetrics and scikit-learn.

python benchmarks/arrays_gpu.py            10⁸ rows where torch finds a GPU, else 10⁶ on the CPU
python benchmarks/arrays_gpu.py --rows N

Needs torch; torchmetrics for its lines. Times are medians, from the scores where they lie to a
number in Python; scikit-learn takes them from the main memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
import warnings
from collections.abc import Callable

import torch
from sklearn.metrics import roc_auc_score

import rocsolid as rs

GPU = torch.cuda.is_available()
GIB = 1 << 30


def measured(task: Callable[[], float], times: int) -> tuple[float, float, float]:
    """The value, the median of seconds, and the most GiB that it took on the GPU."""
    value, seconds, used = task(), [], 0.0
    for _ in range(times):
        if GPU:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
        start = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - start)
        if GPU:
            used = (torch.cuda.max_memory_allocated() - before) / GIB
    return value, statistics.median(seconds), used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10**8 if GPU else 10**6)
    parser.add_argument("--times", type=int, default=5)
    asked = parser.parse_args()
    device = torch.device("cuda" if GPU else "cpu")
    where = torch.cuda.get_device_name() if GPU else "the CPU, as torch finds no GPU"
    generator = torch.Generator(device).manual_seed(0)
    y = torch.rand(asked.rows, generator=generator, device=device) < 0.3
    s = torch.randn(asked.rows, generator=generator, device=device)
    s = torch.sigmoid(s + y)  # float32, between 0 and 1, as torchmetrics takes them
    print(f"{asked.rows:,} float32 scores on {where}, {torch.get_num_threads()} threads of torch")
    kept = (s.nbytes + y.nbytes) / GIB
    result = rs.auc(y, s)
    print(f"{result}\nthe input takes {kept:.3f} GiB")

    host_y, host_s = y.cpu().numpy(), s.cpu().numpy()
    assert result.to_dict() == rs.auc(host_y, host_s).to_dict(), "other numbers than NumPy's"
    tasks: dict[str, Callable[[], float]] = {
        "rocsolid, both intervals": lambda: rs.auc(y, s).value,
        "rocsolid from main memory": lambda: rs.auc(host_y, host_s).value,
        "scikit-learn from main memory": lambda: roc_auc_score(host_y, host_s),
    }
    if importlib.util.find_spec("torchmetrics"):
        from torchmetrics.functional.classification import binary_auroc

        target = y.long()
        tasks["torchmetrics, exact"] = lambda: float(binary_auroc(s, target))
        tasks["torchmetrics, 1,000 bins"] = lambda: float(binary_auroc(s, target, thresholds=1000))
    else:
        print("torchmetrics is not installed, so its lines are left out")
    first = 0.0
    for name, task in tasks.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                value, seconds, used = measured(task, asked.times)
            except torch.cuda.OutOfMemoryError:
                print(f"{name:32} out of memory")
                continue
        first = first or seconds
        on_gpu = f", {used:.2f} GiB on the GPU ({used / kept:.1f} times the input)" if GPU else ""
        print(
            f"{name:32}{seconds:9.4f} s{seconds / first:8.2f} times rocsolid{on_gpu}, "
            f"off by {value - result.value:+.1e}"
        )


if __name__ == "__main__":
    main()
