"""Random programs: inputs with edge values and empty, 0-dimensional and broadcast shapes, and operators on them."""
import random

from program import Call, Change, Input, Run, TYPES, Unsupported, Value, NAMES, storage
from recipes import CHANGES, RECIPES
from rules import VIEWS

MOST_OPERATORS = 12
EDGES = {
    "float32": ["nan", "inf", "-inf", -0.0, 0.0, 1e30, -1e30, 1e-30, 16777217.0],
    "float64": ["nan", "inf", "-inf", -0.0, 0.0, 1e300, 1e-300],
    "int32": [-2**31, 2**31 - 1, 0], "int64": [-2**63, 2**63 - 1, 0], "bool": [0, 1],
}


class Generator:
    """Makes one program, and executes it meanwhile: what comes next depends on the values that there are."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.program, self.run, self.next = [], Run(), 0

    def chance(self, probability): return self.random.random() < probability

    def name(self):
        self.next += 1
        return f"v{self.next - 1}"

    def size(self):
        if self.chance(0.04): return 0
        if self.chance(0.02): return self.random.choice([7, 8, 9, 16, 17, 33])
        return self.random.choice([1, 1, 2, 2, 3, 3, 4])

    def shape(self, low=0, high=4):
        dims = self.random.choice([d for d in (0, 1, 1, 2, 2, 2, 3, 3, 4) if low <= d <= high] or [low])
        shape = tuple(self.size() for _ in range(dims))
        total = 1
        for size in shape: total *= size
        return shape if total <= 100 else tuple(min(size, 3) for size in shape)

    def dtype(self): return self.random.choices(list(TYPES), [10, 5, 2, 3, 2])[0]

    def floating(self): return self.random.choices(["float32", "float64"], [2, 1])[0]

    def values(self, dtype, count):
        edge = 0.3 if self.chance(0.12) else 0
        return [self.element(dtype, edge) for _ in range(count)]

    def element(self, dtype, edge):
        if edge and self.chance(edge):
            value = self.random.choice(EDGES[dtype])
            return float(value) if dtype.startswith("float") else value
        if dtype == "bool": return self.random.randrange(2)
        if dtype.startswith("int"): return self.random.randint(-5, 5)
        return self.random.randint(-24, 24) / 8

    def fresh(self, dtype=None, shape=None, values=None, grad=None):
        """Add an input."""
        dtype = dtype or self.dtype()
        shape = self.shape() if shape is None else tuple(shape)
        if any(size < 0 for size in shape): raise Unsupported
        count = 1
        for size in shape: count *= size
        if values is None: values = self.values(dtype, count)
        if grad is None: grad = self.chance(0.6)
        statement = Input(self.name(), dtype, shape, grad and dtype.startswith("float"), values)
        self.program.append(statement)
        self.run.execute(statement)
        return Value(statement.name)

    def tensor(self, value): return self.run.values[value.name]

    def shape_of(self, value): return tuple(self.tensor(value).shape)

    def dtype_of(self, value): return NAMES[self.tensor(value).dtype]

    def pick(self, wanted=lambda _: True):
        """Return a value there is that fits, the later ones rather, or None."""
        fitting = [name for name, value in self.run.values.items() if wanted(value)]
        if not fitting: return None
        return Value(fitting[-1] if self.chance(0.4) else self.random.choice(fitting))

    def any(self, dtype=None, low=0, high=4):
        """Return a value with so many dimensions, of a type: its name, or `floating`, or any."""
        def fits(value):
            right = dtype is None or NAMES[value.dtype] == dtype or (dtype == "floating" and value.is_floating_point())
            return right and low <= value.dim() <= high
        found = self.pick(fits) if self.chance(0.75) else None
        return found or self.fresh(self.floating() if dtype == "floating" else dtype, self.shape(low, high))

    def of(self, shape, dtype=None):
        """Return a value of a shape."""
        found = self.pick(lambda v: tuple(v.shape) == tuple(shape) and (dtype is None or NAMES[v.dtype] == dtype)) if self.chance(0.5) else None
        return found or self.fresh(dtype, shape)

    def broadcast(self, value, dtype=None):
        """Return a value that broadcasts with another, mostly of its type."""
        if dtype is None and self.chance(0.7): dtype = self.dtype_of(value)
        shape = [1 if self.chance(0.2) else size for size in self.shape_of(value)]
        if self.chance(0.2): shape = shape[self.random.randint(0, len(shape)):]
        elif self.chance(0.05): shape = [self.size(), *shape]
        return self.of(shape, dtype)

    def like(self, value): return self.of(self.shape_of(value), self.dtype_of(value))

    def number(self):
        if self.chance(0.06): return self.random.choice([float("nan"), float("inf"), -0.0, 0.0])
        return self.random.randint(-3, 3) if self.chance(0.4) else self.random.randint(-16, 16) / 8

    def flag(self): return self.chance(0.5)

    def dim(self, value):
        dims = max(len(self.shape_of(value)), 1)
        return self.random.randint(-dims, dims - 1)

    def dims(self, value, least=0):
        dims = len(self.shape_of(value))
        if dims == 0: return []
        count = self.random.randint(min(least, dims), dims)
        return [d - dims if self.chance(0.3) else d for d in self.random.sample(range(dims), count)]

    def indices(self, shape, below, dtype="int64"):
        count = 1
        for size in shape: count *= size
        high = max(below, 1) - 1
        return self.fresh(dtype, shape, [self.random.randint(0, high) for _ in range(count)])

    def integers(self, low, high, count): return [self.random.randint(low, high) for _ in range(count)]

    def spoil(self, args):
        """Replace an argument by one that may not fit."""
        args = list(args)
        at = self.random.randrange(len(args))
        match args[at]:
            case Value(): args[at] = self.pick() if self.chance(0.5) else self.fresh()
            case bool(): pass
            case int(): args[at] = self.random.randint(-4, 5)
            case [int(), *_]: args[at] = self.integers(-2, 4, self.random.randint(0, 4))
        return args

    def step(self):
        """Add an operator."""
        change = self.chance(0.12)
        name = self.random.choice(list(CHANGES if change else RECIPES))
        before = len(self.program), self.next, dict(self.run.values), set(self.run.layout)
        try:
            if change: self.change(name)
            else: self.call(name)
        except Unsupported:
            del self.program[before[0]:]
            self.next, self.run.values, self.run.layout = before[1:]

    def call(self, name):
        args = RECIPES[name](self)
        if self.chance(0.04): args = self.spoil(args)
        if name in VIEWS and name not in ("aten::expand", "aten::broadcast_to") and isinstance(args[0], Value) and args[0].name not in self.run.layout \
                and ("view" in name or "unflatten" in name): raise Unsupported
        statement = Call([], name, args)
        statement.raised = self.run.execute(statement)
        if statement.raised:
            statement.names = [self.name()]
        else:
            statement.names = [self.name() for _ in self.run.results]
            for new, result in zip(statement.names, self.run.results): self.run.values[new] = result
            if name in VIEWS and args[0].name in self.run.layout: self.run.layout.update(statement.names)
        self.program.append(statement)

    def change(self, name):
        changeable = [v for v in self.run.values if self.changeable(v)]
        target = Value(self.random.choice(changeable)) if changeable and self.chance(0.6) else self.fresh(grad=False)
        args = [a for a in CHANGES[name](self, target)]
        if target in args: raise Unsupported
        statement = Change(target.name, name, args)
        before = self.tensor(target).detach().clone()
        statement.raised = self.run.execute(statement)
        if statement.raised and not same(before, self.tensor(target).detach()): raise Unsupported  # PyTorch changed some elements before it failed
        self.program.append(statement)

    def changeable(self, name):
        """Whether a value shares memory only as views are promised to."""
        mine = storage(self.run.values[name])
        return all(other == name or storage(v) != mine or (other in self.run.layout and name in self.run.layout)
                   for other, v in self.run.values.items())


def same(a, b):
    return bool(((a == b) | ((a != a) & (b != b))).all())


def generate(seed):
    """Return a program."""
    generator = Generator(seed)
    operators = generator.random.randint(1, MOST_OPERATORS)
    for _ in range(operators * 3):
        if sum(not isinstance(s, Input) for s in generator.program) >= operators: break
        generator.step()
    return generator.program
