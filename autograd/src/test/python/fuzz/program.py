"""A program of tensor operators: its text form, and what PyTorch computes for it.

A program is a list of statements; each names the values it makes. Its text, one statement a line:
  in v0 float32 2,3 grad 0.5 -1 nan ...   an input; `grad` where it requires a gradient, else `-`
  v1,v2 = aten::max.dim v0 i1 btrue       an operator; `!=` where PyTorch raised an error
  v0 . add_ v1 i2                         a change in place; `!.` where PyTorch raised an error
Arguments: v3 value, i5 int or Scalar, d0.5 double or Scalar, btrue boolean, I1,2 int[], Ssum String, Tint32 DType,
Lv1,v2 list of values, _ null. After each statement stand the values that it made or changed, at the end the gradients, the last one first:
  is v1 float32 2,3 STRIDES TOLERANCE 0.5 ? nan     a value, at least its first elements; `?` is not compared
  backward v1,v2                          these values are summed and their gradients computed; `raises` where PyTorch raised an error
  grad v1 ...                             the gradient of a value, `none` where it has none
STRIDES are `*` where no layout is promised.
"""
import math
from dataclasses import dataclass, field, replace

import torch

from operators import IN_PLACE, OPERATORS
from rules import EXACT, ON_GRID, VIEWS
from triage import fault
from undefined import is_undefined

TYPES = {"float32": torch.float32, "float64": torch.float64, "int32": torch.int32, "int64": torch.int64, "bool": torch.bool}
NAMES = {dtype: name for name, dtype in TYPES.items()}
EPSILON = {torch.float32: 2.0 ** -20, torch.float64: 2.0 ** -46}
LEAST_TOLERANCE = {torch.float32: 1e-6, torch.float64: 1e-10}
MORE_DIGITS = {torch.float32: 0, torch.float64: 5}
LONGEST = 400  # elements of a value that is recorded
FEW_DIGITS = 5
FIRST = 8


class Unsupported(Exception):
    """A program that promises nothing, such as one whose control flow depends on rounding; its text is the reason."""


@dataclass(frozen=True)
class Value:
    """A reference to a value as an argument."""
    name: str


@dataclass(frozen=True)
class Word:
    """A string argument."""
    text: str


@dataclass
class Input:
    name: str
    dtype: str
    shape: tuple
    grad: bool
    values: list


@dataclass
class Call:
    names: list
    operator: str
    args: list
    raised: bool = False


@dataclass
class Change:
    name: str
    operator: str
    args: list
    raised: bool = False


def number(value, digits):
    if isinstance(value, bool): return "1" if value else "0"
    if isinstance(value, int): return str(value)
    if math.isnan(value): return "nan"
    if math.isinf(value): return "inf" if value > 0 else "-inf"
    if value == 0: return "-0" if math.copysign(1, value) < 0 else "0"
    text = f"{value:.{digits}g}"
    return text.replace("e+", "e")


def joined(numbers): return ",".join(map(str, numbers)) or "-"


def token(arg):
    if arg is None: return "_"
    if isinstance(arg, Value): return arg.name
    if isinstance(arg, Word): return "S" + arg.text
    if isinstance(arg, bool): return "btrue" if arg else "bfalse"
    if isinstance(arg, int): return f"i{arg}"
    if isinstance(arg, float): return "d" + number(arg, 17)
    if isinstance(arg, torch.dtype): return "T" + NAMES[arg]
    if arg and isinstance(arg[0], Value): return "L" + ",".join(value.name for value in arg)
    return "I" + joined(arg)


def line(statement):
    match statement:
        case Input(name, dtype, shape, grad, values):
            return f"in {name} {dtype} {joined(shape)} {'grad' if grad else '-'} " + " ".join(number(v, 17) for v in values)
        case Call(names, operator, args, raised):
            return " ".join([",".join(names) or "-", "!=" if raised else "=", operator, *map(token, args)])
        case Change(name, operator, args, raised):
            return " ".join([name, "!." if raised else ".", operator, *map(token, args)])


def used(statement):
    """The names of the values that a statement reads."""
    names = [] if isinstance(statement, (Input, Call)) else [statement.name]
    for arg in [] if isinstance(statement, Input) else statement.args:
        for each in arg if isinstance(arg, (list, tuple)) else [arg]:
            if isinstance(each, Value): names.append(each.name)
    return names


def resolve(arg, values):
    if isinstance(arg, Value): return values[arg.name]
    if isinstance(arg, Word): return arg.text
    if isinstance(arg, (list, tuple)): return [resolve(each, values) for each in arg]
    return arg


def tensor(statement):
    made = torch.tensor(statement.values, dtype=TYPES[statement.dtype]).reshape(statement.shape)
    return made.requires_grad_() if statement.grad else made


def on_grid(value):
    """Whether sums and products of the elements are exact."""
    return not value.is_floating_point() or bool(torch.all((value * 8 == torch.round(value * 8)) & (value.abs() < 1024)))


def flat(args):
    for arg in args:
        if isinstance(arg, (list, tuple)): yield from flat(arg)
        elif isinstance(arg, torch.Tensor): yield arg


def storage(value): return value.storage().data_ptr() if value.numel() else id(value)


class Run:
    """One execution. With a sign, inexact results are moved by some units in the last place, which shows what rounding decides."""

    def __init__(self, sign=0):
        self.sign, self.values, self.layout, self.grads = sign, {}, set(), {}

    def execute(self, statement):
        """Return whether PyTorch raised an error."""
        if isinstance(statement, Input):
            self.values[statement.name] = tensor(statement)
            self.layout.add(statement.name)
            return False
        args = [resolve(arg, self.values) for arg in statement.args]
        if is_undefined(statement.operator, args, self.values.get(getattr(statement, "name", None))): raise Unsupported("undefined")
        try:
            if isinstance(statement, Change):
                self.change(statement, args)
            else:
                self.call(statement, args)
        except (RuntimeError, IndexError, ValueError, TypeError, AssertionError) as error:
            if rule := fault("forward", error): raise Unsupported(rule) from error
            return True
        return False

    def call(self, statement, args):
        result = OPERATORS[statement.operator](*args)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if any(r.numel() > LONGEST or r.dim() > 6 or r.dtype not in NAMES for r in results): raise Unsupported("size or type")
        if len(statement.names) not in (0, len(results)): raise Unsupported("count")
        inputs = list(flat(args))
        known = {storage(v) for v in self.values.values()} if self.sign else set()
        for name, each in zip(statement.names, results):
            self.values[name] = each
            if self.sign and storage(each) not in known: self.perturb(statement.operator, each, inputs)
            if each.requires_grad: each.register_hook(lambda grad, name=name: self.grads.update({name: grad}))
        self.results = results
        if statement.operator in VIEWS and Value is type(statement.args[0]) and statement.args[0].name in self.layout:
            self.layout.update(statement.names)

    def change(self, statement, args):
        target = self.values[statement.name]
        if target.requires_grad or any(a.requires_grad for a in flat(args)): raise Unsupported("change of what requires a gradient")
        inputs = [v.clone() for v in [target, *flat(args)]]
        IN_PLACE[statement.operator](target, *args)
        if not target.is_floating_point() or not self.sign: return
        if 0 in target.stride() and target.numel() > 1: return
        self.perturb("aten::" + statement.operator.rstrip("_"), target, inputs)

    def perturb(self, operator, result, inputs):
        base = operator.split(".")[0]
        if not self.sign or not result.is_floating_point() or base in EXACT or not result.numel(): return
        if base in ON_GRID and all(map(on_grid, inputs)) and on_grid(result): return
        epsilon = EPSILON[result.dtype] * self.sign
        with torch.no_grad():
            data = result.data
            if any(v.dtype == torch.float32 for v in inputs): epsilon = EPSILON[torch.float32] * self.sign
            scale = max((float(v.abs().nan_to_num(0, 0, 0).max()) for v in inputs if v.numel() and v.is_floating_point()), default=0)
            data += data.nan_to_num(0, 0, 0) * epsilon
            if base in ON_GRID: data += scale * epsilon / 4

    def backward(self, roots):
        """Compute the gradients of all values; return whether backward raised an error."""
        try:
            sum((self.values[name].to(torch.float64) * weights(self.values[name])).sum() for name in roots).backward()
        except (RuntimeError, IndexError) as error:
            self.error = error
            if rule := fault("backward", error): raise Unsupported(rule) from error
            return True
        return False


def weights(value):
    return torch.tensor([((i % 7) - 3) / 2 + 0.125 for i in range(value.numel())], dtype=torch.float64).reshape(value.shape)


def roots(program, values):
    """The values that nothing reads, or whose memory is changed, of those that a gradient flows to."""
    read = {name for statement in program for name in used(statement)}
    changed = {name for statement in program if isinstance(statement, Change) for name in affected(statement, values)}
    ends = (name for name in values if name not in read or name in changed)
    return [name for name in ends if values[name].requires_grad and not values[name].is_leaf and values[name].is_floating_point()]


def compared(plain, moved, digits):
    """Return the words of a tensor: a relative tolerance, and the elements; of many only the first where few digits are kept."""
    elements = [t.detach().reshape(-1).tolist() for t in (plain, *moved)]
    tolerance, words = 0.0, []
    for value, *others in zip(*elements):
        stable, width = True, 0.0
        for other in others:
            if plain.is_floating_point() and math.isfinite(value) and math.isfinite(other):
                width = max(width, 30 * abs(value - other) / max(abs(value), 1e-3))
            else:
                stable = stable and (value == other or (value != value and other != other))
        stable = stable and width <= 0.02
        tolerance = max(tolerance, width if stable else 0)
        words.append(number(value, digits + MORE_DIGITS.get(plain.dtype, 0)) if stable else "?")
    least = LEAST_TOLERANCE.get(plain.dtype, 0)
    return [f"{tolerance:.1g}" if tolerance > least else "0", *(words if digits > FEW_DIGITS else words[:FIRST])]


def described(kind, name, strides, tensors, digits):
    """The line of a value or gradient, of three runs."""
    plain, *moved = tensors
    if any(m.shape != plain.shape for m in moved): raise Unsupported("rounding decides a shape")
    return " ".join([kind, name, NAMES[plain.dtype], joined(plain.shape), strides, *compared(plain, moved, digits)])


def affected(statement, values):
    """The names of the values that a statement made, or that lie in the memory that it changed."""
    if isinstance(statement, Input) or statement.raised: return []
    if isinstance(statement, Call): return statement.names
    changed = storage(values[statement.name])
    return [name for name, value in values.items() if storage(value) == changed]


def record(program, digits=9):
    """Return the lines of a program with the results that PyTorch has."""
    runs, lines = [Run(sign) for sign in (0, 1, -1)], []
    for statement in program:
        raised = [run.execute(statement) for run in runs]
        if len(set(raised)) > 1: raise Unsupported("rounding decides an error")
        if not isinstance(statement, Input): statement.raised = raised[0]
        lines.append(line(statement))
        for name in affected(statement, runs[0].values):
            strides = joined(runs[0].values[name].stride()) if name in runs[0].layout else "*"
            lines.append(described("is", name, strides, [run.values[name] for run in runs], digits))
    return lines + gradients(program, runs, digits)


def gradients(program, runs, digits):
    try:
        ends = roots(program, runs[0].values)
    except RuntimeError as error:  # a view may not even be asked whether it is a leaf
        raise Unsupported(fault("forward", error) or str(error)) from error
    if not ends: return []
    lines = ["backward " + ",".join(ends)]
    raised = [run.backward(ends) for run in runs]
    if len(set(raised)) > 1: raise Unsupported("rounding decides an error")
    if raised[0]: return [lines[0] + " raises"]
    firsts = {id(value): name for name, value in reversed(runs[0].values.items())}  # some operators return their argument
    for name, value in reversed(runs[0].values.items()):
        if not value.requires_grad or firsts[id(value)] != name: continue
        grads = [run.values[name].grad if value.is_leaf else run.grads.get(name) for run in runs]
        if grads[0] is None: lines.append(f"grad {name} none")
        elif not grads[0].is_sparse: lines.append(described("grad", name, "*", grads, digits))
    return lines
