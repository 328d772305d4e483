"""Operators of PyTorch on one thread, the same work as the package org.gradwire.bench.local.

Prints "ready" and the metrics it knows, then answers each line "METRIC MILLISECONDS" with
"MEDIAN TAIL" in nanoseconds, until its input ends.
"""
import os
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
clock = time.perf_counter_ns
MILLION, SIDE = 1 << 20, 1024
IMAGES, HEADS = (16, 64, 28, 28), (32, 128, 64)
cases = {}


def rand(*shapes):
    return lambda: [torch.rand(shape) for shape in shapes]


def typed(dtype):
    return lambda: [torch.randint(0, 256, (MILLION,)).to(dtype) for _ in range(2)]


def add(name, operands, operator, backward=False):
    def forward_call():
        tensors = operands()
        return lambda: operator(*tensors)

    def backward_call():
        tensors = operands()
        leaves = [t.requires_grad_() for t in tensors if t.is_floating_point()]
        gradient = torch.rand(operator(*tensors).shape)

        def call():
            operator(*tensors).backward(gradient)
            for leaf in leaves:
                leaf.grad = None

        return call

    cases["operator." + name] = forward_call
    if backward:
        cases["operator." + name + ".fwdbwd"] = backward_call


def both(name, operands, operator):
    add(name, operands, operator, True)


def elements():
    divided = lambda: [torch.rand(MILLION) * 10, torch.rand(MILLION) + 1]
    for name, dtype in ("float64", torch.float64), ("int64", torch.int64):
        add("add." + name, typed(dtype), lambda a, b: a + b, dtype.is_floating_point)
        add("mul." + name, typed(dtype), lambda a, b: a * b, dtype.is_floating_point)
    both("div.float64", lambda: [x.double() for x in divided()], lambda a, b: a / b)
    both("add.row", rand((SIDE, SIDE), (SIDE,)), lambda a, b: a + b)
    both("add.column", rand((SIDE, SIDE), (SIDE, 1)), lambda a, b: a + b)
    both("pow3", rand((MILLION,)), lambda x: x ** 3)
    add("remainder", divided, torch.remainder)
    add("fmod", divided, torch.fmod)
    both("where", lambda: [torch.rand(MILLION) > 0.5, torch.rand(MILLION), torch.rand(MILLION)], torch.where)


def layouts():
    half = (SIDE, SIDE // 2)
    indexed = lambda: [torch.rand(SIDE, SIDE), torch.randint(0, SIDE, (SIDE, SIDE))]
    lookups = lambda: [torch.rand(10_000, 64), torch.randint(0, 10_000, (4096,))]
    both("transpose", rand((SIDE, SIDE)), lambda x: x.t().contiguous())
    both("permute", rand((16, 64, 32, 32)), lambda x: x.permute(0, 2, 3, 1).contiguous())
    both("cat.first", rand(half, half), lambda a, b: torch.cat((a, b), 0))
    both("cat.last", rand(half, half), lambda a, b: torch.cat((a, b), 1))
    both("gather.last", indexed, lambda x, i: x.gather(1, i))
    both("gather.first", indexed, lambda x, i: x.gather(0, i))
    both("indexselect", lookups, lambda x, i: x.index_select(0, i))
    both("scatteradd", lambda: [*indexed(), torch.rand(SIDE, SIDE)], lambda x, i, y: x.scatter_add(1, i, y))
    both("embedding", lookups, lambda x, i: F.embedding(i, x))


def rows():
    matrix, cube = rand((SIDE, SIDE)), rand((64, 64, 256))
    both("softmax.last", matrix, lambda x: x.softmax(1))
    both("softmax.first", matrix, lambda x: x.softmax(0))
    both("logsoftmax", matrix, lambda x: x.log_softmax(1))
    both("layernorm", rand((SIDE, SIDE), (SIDE,), (SIDE,)), lambda x, w, b: F.layer_norm(x, (SIDE,), w, b))
    both("sum.last", matrix, lambda x: x.sum(1))
    both("sum.first", matrix, lambda x: x.sum(0))
    both("sum.middle", cube, lambda x: x.sum(1))
    both("mean.last", matrix, lambda x: x.mean(1))
    both("mean.first", matrix, lambda x: x.mean(0))
    both("mean.middle", cube, lambda x: x.mean(1))
    both("max.last", matrix, lambda x: x.max(1).values)
    both("max.first", matrix, lambda x: x.max(0).values)
    both("max.middle", cube, lambda x: x.max(1).values)
    add("argmax.last", matrix, lambda x: x.argmax(1))
    add("argmax.first", matrix, lambda x: x.argmax(0))
    add("argmax.middle", cube, lambda x: x.argmax(1))
    both("cumsum.last", matrix, lambda x: x.cumsum(1))
    both("cumsum.first", matrix, lambda x: x.cumsum(0))


def attention(q, k, v):
    return (q * HEADS[2] ** -0.5 @ k.transpose(1, 2)).softmax(-1) @ v


def convolution(name, kernel, stride, groups):
    both(name, rand(IMAGES, (64, 64 // groups, kernel, kernel), (64,)),
         lambda x, w, b: F.conv2d(x, w, b, stride=stride, padding=kernel // 2, groups=groups))


def layers():
    lstm = torch.nn.LSTM(256, 256)
    add("matmul.int64", lambda: [torch.randint(0, 256, (256, 256)) for _ in range(2)], torch.matmul)
    both("bmm", rand((256, 16, 32), (256, 32, 16)), torch.bmm)
    both("lstm", rand((1, 64, 256)), lambda x: lstm(x)[0])
    both("attention", rand(HEADS, HEADS, HEADS), attention)
    convolution("conv1x1", 1, 1, 1)
    convolution("conv3x3.stride2", 3, 2, 1)
    convolution("conv3x3.depthwise", 3, 1, 64)
    both("maxpool", rand(IMAGES), lambda x: F.max_pool2d(x, 2))


def measure(call, nanos):
    times = []
    begin = now = clock()
    while now - begin < nanos or len(times) < 3:
        call()
        end = clock()
        times.append(end - now)
        now = end
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


elements()
layouts()
rows()
layers()
print("ready", *cases, flush=True)
name, call = None, None
for line in sys.stdin:
    wanted, millis = line.split()
    if wanted != name:
        name, call = wanted, cases[wanted]()
    print(*measure(call, int(millis) * 1_000_000), flush=True)
