"""Records how PyTorch prints tensors, for PrinterTest. From the root of the project:
  /usr/bin/python3 autograd/src/test/python/generate_printed.py > autograd/src/test/resources/printed.txt
Made with PyTorch 1.13. A case is a line `case TYPE SHAPE HISTORY NUMBERS`, followed by what is printed, after `| ` in each line.
NUMBERS is `list` and all of them, or `ramp START STEP`: the i-th is START + i * STEP in float64. HISTORY says what is done then:
`plain` nothing, `leaf` requires a gradient, `result` is negated while it does, `transposed` has its first and last dimension swapped.
"""
import math
import random
import torch

HISTORIES = ["plain", "leaf", "result", "transposed"]


def written(number):
    return repr(number).replace("inf", "Infinity").replace("nan", "NaN")


def case(dtype, shape, numbers, history="plain", ramp=None):
    if dtype == "int64" and history in ("leaf", "result"): history = "plain"
    count = math.prod(shape)
    if ramp: numbers = [ramp[0] + i * ramp[1] for i in range(count)]
    kind = int if dtype == "int64" else float
    tensor = torch.tensor([kind(n) for n in numbers[:count]], dtype=getattr(torch, dtype)).reshape(shape)
    if history in ("leaf", "result"): tensor.requires_grad_()
    if history == "result": tensor = -tensor
    if history == "transposed" and shape: tensor = tensor.transpose(0, len(shape) - 1)
    spec = f"ramp {written(ramp[0])} {written(ramp[1])}" if ramp else "list " + " ".join(written(kind(n)) for n in numbers[:count])
    print(f"case {dtype} {','.join(map(str, shape)) or '-'} {history} {spec}".rstrip())
    for line in repr(tensor).split("\n"): print("| " + line)


def families(rng, count):
    nan, inf = math.nan, math.inf
    yield [rng.uniform(-2, 2) for _ in range(count)]
    yield [rng.randint(-9, 9) for _ in range(count)]
    yield [rng.choice([0.0, -0.0, 1.5, nan, inf, -inf, -3.25]) for _ in range(count)]
    yield [rng.choice([0.0, 1.0, nan, inf, -inf, -12.0]) for _ in range(count)]
    yield [rng.choice([nan, inf, -inf, 0.0]) for _ in range(count)]
    yield [rng.uniform(-1, 1) * 10 ** rng.randint(-9, 9) for _ in range(count)]
    yield [rng.randint(1, 9) * 10 ** rng.randint(0, 12) for _ in range(count)]
    yield [rng.uniform(1, 9) * 1e-5 for _ in range(count)]
    yield [rng.randint(100, 99999) + rng.choice([0, 0.5]) for _ in range(count)]
    yield [rng.randint(-8, 8) / 32 + 0.00005 * rng.choice([1, 3, 5]) for _ in range(count)]


def main():
    rng = random.Random(20)
    shapes = [(), (1,), (3,), (8,), (25,), (2, 3), (3, 1), (2, 2, 2), (1, 1, 2, 2), (2, 12)]
    for shape in shapes:
        for i, numbers in enumerate(families(rng, math.prod(shape))):
            history = HISTORIES[(i + len(shape)) % 4]
            case("float32" if i % 3 else "float64", shape, numbers, history)
    for shape in [(), (1,), (4,), (40,), (2, 3), (2, 2, 3)]:
        case("int64", shape, [rng.randint(-99, 99) for _ in range(math.prod(shape))], "transposed")
        case("int64", shape, [rng.choice([0, 7, -1]) * 10 ** rng.randint(0, 15) for _ in range(math.prod(shape))])
    for shape in [(0,), (0, 3), (2, 0), (0, 0, 2)]:
        for dtype in ["float32", "float64", "int64"]:
            for history in HISTORIES: case(dtype, shape, [], history)
    for shape in [(1000,), (1001,), (20, 51), (7, 150), (6, 200), (3, 3, 120), (10, 10, 11), (2, 501), (1100, 1), (4, 7, 6, 8)]:
        case("float32", shape, [], "plain", (0.0, 1.0))
        case("float64", shape, [], "leaf", (-0.5, 0.125))
        case("int64", shape, [], "transposed", (-500.0, 3.0))
        case("float32", shape, [], "result", (1e-7, 1e-3))
    for number in [3.5, 1e8, 1e9, 99999.5, 1e-4, 9.9e-5, 0.99995, 123456.0, 1e-45, 3.4e38, 0.00005, 0.00015, 2.5, 1e16]:
        for dtype in ["float32", "float64"]: case(dtype, (), [number])
        case("float32", (2,), [number, -number], "leaf")
        case("float64", (2,), [number, 1.0], "result")

    for dtype in ["float16", "bfloat16"]:
        for shape in shapes:
            for i, numbers in enumerate(families(rng, math.prod(shape))): case(dtype, shape, numbers, HISTORIES[(i + len(shape)) % 4])
        for history in HISTORIES: case(dtype, (0, 3), [], history)
        case(dtype, (20, 51), [], "plain", (0.0, 0.125))
        case(dtype, (3, 3, 120), [], "transposed", (-500.0, 3.0))


main()
