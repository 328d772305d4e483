"""The training of CheckpointBench with PyTorch.

pytorch_checkpoint.py WIDTH STEPS EVERY FILE answers each line, "plain" or "saves", with the
nanoseconds of the steps of a round in a line, those of its saves in another, and with the
processor time of both in two more.
"""
import os
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import torch
from torch import nn

torch.set_num_threads(1)
width, steps, every = (int(text) for text in sys.argv[1:4])
path = sys.argv[4]
net = nn.Sequential(
    nn.Linear(784, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10)
)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
data, target = torch.rand(64, 784), torch.randint(10, (64,))
clock = time.perf_counter_ns


def step():
    nn.functional.cross_entropy(net(data), target).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def save():
    begin, busy = clock(), time.thread_time_ns()
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path + ".tmp")
    os.replace(path + ".tmp", path)
    return clock() - begin, time.thread_time_ns() - busy


for _ in range(100):
    step()
save()
for line in sys.stdin:
    times, saves = [], []
    for i in range(steps):
        begin, busy = clock(), time.thread_time_ns()
        step()
        if line.strip() == "saves" and i % every == every - 1:
            saves.append(save())
        times.append((clock() - begin, time.thread_time_ns() - busy))
    for part in range(2):
        print(*(each[part] for each in times))
        print(*(each[part] for each in saves), flush=True)
