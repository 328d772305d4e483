"""A worker that trains a perceptron data-parallel with all others, until a file exists, and saves checkpoints.

The same work as TrainingWorker. The arguments: the file, a folder for the state, steps per checkpoint. After a start
it continues from the checkpoint. It prints a line after the first step that had not been done before: its rank, its
process id, and the time in microseconds since 1970.
"""

import os
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import torch
import torch.distributed as dist
from torch import nn

stop, state, every = sys.argv[1], sys.argv[2], int(sys.argv[3])
checkpoint, newest_file = os.path.join(state, "checkpoint.pt"), os.path.join(state, "newest")


def replace(file, write):
    write(file + ".tmp")
    os.replace(file + ".tmp", file)


def read_newest():
    if not os.path.exists(newest_file):
        return 0
    with open(newest_file) as file:
        return int(file.read())


def write_newest(step):
    def write(name):
        with open(name, "w") as file:
            file.write(str(step))

    replace(newest_file, write)


def load():
    if not os.path.exists(checkpoint):
        return 0
    saved = torch.load(checkpoint)
    net.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    return saved["step"]


def save(step):
    saved = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    replace(checkpoint, lambda name: torch.save(saved, name))


def train():
    nn.functional.cross_entropy(parallel(data), target).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


torch.set_num_threads(1)
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
net = nn.Sequential(
    nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
data, target = torch.rand(64, 784), torch.randint(10, (64,))
newest, step = read_newest(), load()
parallel = nn.parallel.DistributedDataParallel(net)
is_first, is_stopped = True, False
while not is_stopped:
    train()
    step += 1
    value = torch.tensor([int(os.path.exists(stop))])
    dist.all_reduce(value, dist.ReduceOp.MAX)
    is_stopped = value.item() > 0
    if rank == 0 and step > newest:
        write_newest(step)
    if is_first and step > newest:
        is_first = False
        line = f"first {rank} {os.getpid()} {time.time_ns() // 1000}\n"
        os.write(1, line.encode())  # one write, so that lines of several workers do not mix
    if rank == 0 and step % every == 0:
        save(step)
dist.destroy_process_group()
