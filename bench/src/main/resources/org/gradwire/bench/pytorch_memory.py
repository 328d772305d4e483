"""Prints the most bytes that PyTorch's tensors have at a time in training steps of a perceptron.

python3 pytorch_memory.py SIZES BATCH STEPS
"""

import os
import sys

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import torch
from torch.profiler import ProfilerActivity, profile

torch.set_num_threads(1)
sizes, batch, steps = [int(size) for size in sys.argv[1].split(",")], int(sys.argv[2]), int(sys.argv[3])


def train():
    layers = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers[:-1])
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    data, target = torch.rand(batch, sizes[0]), torch.randint(sizes[-1], (batch,))
    for _ in range(steps):
        torch.nn.functional.cross_entropy(net(data), target).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


train()  # excludes memory that is allocated once
with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
    train()
held = peak = 0
for event in profiler.profiler.kineto_results.events():
    if event.name() == "[memory]":
        held += event.nbytes()
        peak = max(peak, held)
print(peak)
