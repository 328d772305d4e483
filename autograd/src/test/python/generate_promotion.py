"""Records which types PyTorch gives for pairs of operands, or why it refuses them.

From the root of the project:
  /usr/bin/python3 autograd/src/test/python/generate_promotion.py > autograd/src/test/resources/promotion.txt
Made with PyTorch 1.13.1. A line is the operator, the two operands and what results: a type, or "error" and the text.
An operand is a tensor of ones with one dimension (int32[2]) or none (int32[]), or a number (2, 1.5).
"""
import warnings
import torch

warnings.simplefilter("ignore")
TYPES = ("float32", "float64", "int32", "int64", "bool", "float16", "bfloat16")
TENSORS = [f"{t}[2]" for t in TYPES] + [f"{t}[]" for t in TYPES]
NUMBERS = ["2", "1.5"]
MASK = torch.ones(2, dtype=torch.bool)
OPERATORS = {
    "result_type": torch.result_type,
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div,
    "eq": torch.eq, "lt": torch.lt,
    "logical_xor": torch.logical_xor,
    "where": lambda a, b: torch.where(MASK, a, b),
    "masked_fill": lambda a, b: a.masked_fill(MASK, b),
    "cat": lambda a, b: torch.cat([a, b]),
    "stack": lambda a, b: torch.stack([a, b]),
    "pow": torch.pow,
    "add_": lambda a, b: a.add_(b), "mul_": lambda a, b: a.mul_(b), "copy_": lambda a, b: a.copy_(b),
}
# Which operands an operator takes here: on the left and on the right.
OPERANDS = {
    "where": (TENSORS + NUMBERS, TENSORS + NUMBERS),
    "logical_xor": (TENSORS, TENSORS),
    "cat": (TENSORS[:len(TYPES)], TENSORS[:len(TYPES)]),
    "stack": (TENSORS[:len(TYPES)], TENSORS[:len(TYPES)]),
    "pow": (TENSORS, NUMBERS),
    "mul_": (TENSORS, NUMBERS),
    "copy_": (TENSORS, TENSORS),
}


def operand(text):
    if text in NUMBERS: return float(text) if "." in text else int(text)
    name, shape = text.split("[")
    return torch.ones(2 if shape == "2]" else (), dtype=getattr(torch, name))


for name, operator in OPERATORS.items():
    lefts, rights = OPERANDS.get(name, (TENSORS, TENSORS + NUMBERS))
    for left in lefts:
        for right in rights:
            if name.endswith("_") and left.endswith("[]") and right.endswith("[2]"): continue  # its shape does not fit
            try:
                result = operator(operand(left), operand(right))
                print(name, left, right, str(getattr(result, "dtype", result)).split(".")[1])
            except RuntimeError as e:
                if "not implemented for 'Half'" in str(e): continue  # a kernel that this build lacks
                print(name, left, right, "error", str(e).splitlines()[0])
