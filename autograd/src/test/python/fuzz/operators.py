"""The operators as PyTorch has them: by the names of Gradwire's operator table, and by those of changes in place."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generate_reference import OPERATORS  # noqa: E402

__all__ = ["OPERATORS", "IN_PLACE"]

IN_PLACE = {
    "add_": lambda x, y, *a: x.add_(y, alpha=a[0]) if a else x.add_(y),
    "sub_": lambda x, y, *a: x.sub_(y, alpha=a[0]) if a else x.sub_(y),
    "addcmul_": lambda x, a, b, v: x.addcmul_(a, b, value=v),
    "addcdiv_": lambda x, a, b, v: x.addcdiv_(a, b, value=v),
    "relu_": lambda x: x.relu_(),
    **{name: (lambda name: lambda x, *args: getattr(x, name)(*args))(name) for name in (
        "mul_ div_ pow_ neg_ abs_ clamp_ exp_ sqrt_ sigmoid_ tanh_ round_ lerp_ zero_ fill_ copy_").split()},
}
