"""Measures operators and training steps of PyTorch on a device.

Prints a line for each measurement: its name and the nanoseconds of one call, the median of rounds.
"""
import sys
import time

import torch
from torch import nn

device = torch.device(sys.argv[1])
wanted = set(sys.argv[2].split(",")) if len(sys.argv) > 2 else None
ROUNDS = 7


def measure(name, call, calls):
    if wanted is not None and name not in wanted:
        return
    rounds = []
    for round_ in range(ROUNDS + 2):
        torch.cuda.synchronize()
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        torch.cuda.synchronize()
        if round_ >= 2:
            rounds.append((time.perf_counter_ns() - start) / calls)
    print(name, int(sorted(rounds)[ROUNDS // 2]), flush=True)


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


few = torch.rand(16, device=device)
many = torch.rand(1 << 26, device=device)
square = torch.rand(4096, 4096, device=device)
brain = torch.rand(8192, 8192, device=device).to(torch.bfloat16)
measure("launch", lambda: few + few, 10000)
measure("add64m", lambda: many + many, 20)
measure("exp64m", lambda: many.exp(), 20)
measure("sum64m", lambda: many.sum(), 20)
measure("softmax8k", lambda: many.view(8192, 8192).softmax(1), 20)
measure("sgemm4096", lambda: square @ square, 10)
measure("bf16gemm8192", lambda: brain @ brain, 10)
measure("mlpsmall", mlp(64, 784, 512, 512, 10), 50)
measure("mlplarge", mlp(4096, 1024, 4096, 4096, 1000), 5)
measure("transformer", transformer(), 5)
