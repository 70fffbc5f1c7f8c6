"""Two independent halves of a job on two threads, where there is enough to do."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from rocsolid.inputs.watcher import watcher

T = TypeVar("T")
_First = TypeVar("_First")
_Second = TypeVar("_Second")

_WORTH_A_THREAD = 1 << 17  # rows; a thread costs about as much as handling some thousands of them


def side_by_side(
    first: Callable[[], _First], second: Callable[[], _Second], rows: int
) -> tuple[_First, _Second]:
    """The results of both tasks, which must not share what they write.

    NumPy's sorts and loops release the interpreter lock, so two cores help. The tasks are the same
    with one thread or two, and so are their results.

    >>> side_by_side(lambda: 1 + 1, lambda: "b", rows=10)
    (2, 'b')
    """
    if rows < _WORTH_A_THREAD:
        return first(), second()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        other = pool.submit(second)
        return first(), other.result()


def blocks_side_by_side(of_block: Callable[[int], T], blocks: int, rows: int) -> list[T]:
    """What ``of_block`` gives for each number below ``blocks``, in their order.

    An interrupt reaches the main thread alone, so whichever half ends early stops the other before
    its next block; without that a long job would go on for as long as it would have taken.

    >>> blocks_side_by_side(lambda block: block * block, 4, rows=10)
    [0, 1, 4, 9]
    """
    stopped, done, report = False, count(1), watcher()

    def some(numbers: range) -> list[T]:
        nonlocal stopped
        results = []
        try:
            for number in numbers:
                if stopped:
                    break
                results.append(of_block(number))
                if report is not None:
                    report(next(done), blocks)
        except BaseException:
            stopped = True
            raise
        return results

    if rows < _WORTH_A_THREAD:
        return some(range(blocks))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        other = pool.submit(some, range(blocks // 2, blocks))
        try:
            return some(range(blocks // 2)) + other.result()
        except BaseException:
            stopped = True
            raise
