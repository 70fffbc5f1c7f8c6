"""The check of arguments that scikit-learn does before it looks at the data."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Real
from typing import Any, TypeVar, cast

from sklearn import config_context

# Not in scikit-learn's public list, but unchanged since 1.3, and the only way to raise the very
# exception (InvalidParameterError) that callers of scikit-learn may catch.
from sklearn.utils._param_validation import Interval, StrOptions, validate_params

from rocsolid.inputs.tensors import tensor_in_main_memory

F = TypeVar("F", bound=Callable[..., Any])

ARRAY = ["array-like"]
WEIGHT = ["array-like", None]
FLAG = ["boolean"]
LABEL = [Real, str, "boolean"]
AVERAGE = [StrOptions({"macro", "micro", "samples", "weighted"}), None]
MULTI_CLASS = [StrOptions({"raise", "ovr", "ovo"})]
MAX_FPR = [Interval(Real, 0.0, 1, closed="right"), None]


def checked(**constraints: list[Any]) -> Callable[[F], F]:
    """Check the named arguments as scikit-learn does, then compute with NumPy, tensors too.

    scikit-learn's option ``array_api_dispatch`` would make its utilities hand back other libraries'
    arrays; rocsolid's kernels are NumPy's.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def with_numpy(*args: Any, **kwargs: Any) -> Any:
            here = [tensor_in_main_memory(x, function.__name__) for x in args]
            named = {name: tensor_in_main_memory(x, name) for name, x in kwargs.items()}
            with config_context(array_api_dispatch=False):
                return function(*here, **named)

        validate = validate_params(constraints, prefer_skip_nested_validation=True)
        return cast(F, validate(with_numpy))

    return decorate
