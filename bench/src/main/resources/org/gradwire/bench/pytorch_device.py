"""Operators and training steps of PyTorch on a device, the same work as DeviceWorkloads.

Prints "ready" and the metrics it knows, then answers each line "METRIC MILLISECONDS" with
"MEDIAN TAIL" in nanoseconds, until its input ends.
"""
import sys
import time

import torch
from torch import nn

device = torch.device(sys.argv[1])
torch.backends.cudnn.allow_tf32 = False  # as for products, by default
clock = time.perf_counter_ns


def synchronize():
    if device.type != "cpu":
        torch.cuda.synchronize(device)


def repeated(calls, make):
    """Measures calls that the device runs in sequence, and waits for the last one only."""
    made = []

    def measure(nanos):
        if not made:
            made.append(make())
        call = made[0]
        times = []
        begin = now = clock()
        while now - begin < nanos or len(times) < 3:
            for _ in range(calls):
                call()
            synchronize()
            end = clock()
            times.append(end - now)
            now = end
        times.sort()
        return times[len(times) // 2], times[int(len(times) * 0.99)]

    return measure


def training_step(net, data, loss_of):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad()
        loss_of(net(data)).backward()
        optimizer.step()

    return step


def mlp(batch, *sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1])]
        if i < len(sizes) - 2:
            layers += [nn.ReLU()]
    net = nn.Sequential(*layers).to(device)
    data = torch.rand(batch, sizes[0], device=device)
    target = torch.randint(sizes[-1], (batch,), device=device)
    return training_step(net, data, lambda y: nn.functional.cross_entropy(y, target))


def transformer():
    net = nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True).to(device)
    data = torch.rand(8, 512, 1024, device=device)
    return training_step(net, data, lambda y: y.square().mean())


def convolutions():
    net = nn.Sequential(
        nn.Conv2d(3, 64, 7, stride=2, padding=3), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
        nn.Conv2d(64, 128, 3, stride=2, padding=1), nn.BatchNorm2d(128), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 1000)).to(device)
    data = torch.rand(32, 3, 224, 224, device=device)
    return training_step(net, data, lambda y: y.square().mean())


def embedding_bag():
    weight = torch.rand(100_000, 128, device=device, requires_grad=True)
    indices = torch.randint(100_000, (65_536,), device=device)
    offsets = torch.arange(0, 65_536, 16, device=device)

    def step():
        weight.grad = None
        nn.functional.embedding_bag(indices, weight, offsets, mode="sum").sum().backward()

    return step


def pixel_loss():
    scores = torch.rand(4, 21, 512, 512, device=device, requires_grad=True)
    target = torch.randint(21, (4, 512, 512), device=device)

    def step():
        scores.grad = None
        nn.functional.cross_entropy(scores, target).backward()

    return step


def of(tensor, call):
    return lambda: call(tensor)


def rand(*shape):
    return torch.rand(*shape, device=device)


def many():
    return torch.rand(1 << 26, device=device)


def brain():
    return torch.rand(8192, 8192, device=device).to(torch.bfloat16)


tasks = {
    "device.add16": repeated(1000, lambda: of(torch.rand(16, device=device), lambda x: x + x)),
    "device.add64M": repeated(20, lambda: of(many(), lambda x: x + x)),
    "device.exp64M": repeated(20, lambda: of(many(), torch.exp)),
    "device.sum64M": repeated(20, lambda: of(many(), torch.sum)),
    "device.softmax8192": repeated(20, lambda: of(many().view(8192, 8192), lambda x: x.softmax(1))),
    "device.sgemm4096": repeated(10, lambda: of(torch.rand(4096, 4096, device=device), lambda x: x @ x)),
    "device.bf16gemm8192": repeated(10, lambda: of(brain(), lambda x: x @ x)),
    "device.mlpsmall": repeated(50, lambda: mlp(64, 784, 512, 512, 10)),
    "device.mlplarge": repeated(5, lambda: mlp(4096, 1024, 4096, 4096, 1000)),
    "device.transformer": repeated(5, transformer),
    "device.convolutions": repeated(5, convolutions),
    "device.sort4096": repeated(5, lambda: of(rand(4096, 4096), lambda x: x.sort(dim=1, stable=True))),
    "device.sort16M": repeated(5, lambda: of(rand(1 << 24), lambda x: x.sort(dim=0, stable=True))),
    "device.topk50": repeated(20, lambda: of(rand(64, 50_257), lambda x: x.topk(50, 1))),
    "device.cumsum16M": repeated(20, lambda: of(rand(1 << 24), lambda x: x.cumsum(0))),
    "device.embeddingbag": repeated(20, embedding_bag),
    "device.pixelloss": repeated(20, pixel_loss),
    "device.dropout64M": repeated(20, lambda: of(many(), lambda x: nn.functional.dropout(x, 0.5))),
}
print("ready", *tasks, flush=True)
for line in sys.stdin:
    name, millis = line.split()
    print(*tasks[name](int(millis) * 1_000_000), flush=True)
