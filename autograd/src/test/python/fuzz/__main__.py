"""Compares random programs of operators with PyTorch 1.13, from the root of the project, after `./gradwire build`:

  /usr/bin/python3 autograd/src/test/python/fuzz run --programs 1000 --seed 7     fresh programs; shrinks and prints each that differs
  /usr/bin/python3 autograd/src/test/python/fuzz record --programs 3000 --seed 1  writes the programs that FuzzTest runs
  /usr/bin/python3 autograd/src/test/python/fuzz show --seed 7                     prints one program with PyTorch's results
"""
import argparse
import gzip
import multiprocessing
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from generate import generate  # noqa: E402
from minimise import Minimiser  # noqa: E402
from program import FEW_DIGITS, Unsupported, record  # noqa: E402

ROOT = Path(__file__).resolve().parents[5]
RECORDED = ROOT / "autograd/src/test/resources/fuzz/programs.gz"


class Server:
    """FuzzServer in a process of its own."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, lines):
        """Return `ok`, `accepted RULE`, or the first difference."""
        self.process.stdin.write("\n".join(lines) + "\n\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer: raise SystemExit(f"FuzzServer ended with {self.process.wait()} at:\n" + "\n".join(lines))
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def java(classes):
    libraries = classes or ":".join(str(ROOT / path) for path in ("autograd/target/classes", "autograd/target/test-classes", "dist/target/dist/lib/*"))
    home = os.environ.get("JAVA_HOME")
    return [f"{home}/bin/java" if home else "java", "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-XX:MaxInlineLevel=30", "-cp", libraries,
            "org.gradwire.tensor.FuzzServer"]


def seeds(options): return range(options.seed * 1_000_000, options.seed * 1_000_000 + options.programs)


def recorded(seed, options):
    """A program and its lines, or None for one that promises nothing."""
    program = generate(seed)
    try:
        return program, record(program, options.digits, not options.leaves)
    except Unsupported:
        return None


def compare(options, wanted, counts, at):
    """Compare programs, and keep the seed of the one at hand in `at`: some calls end the process, PyTorch's own faults."""
    server = Server(java(options.classes))
    for seed in wanted:
        at.value = seed
        made = recorded(seed, options)
        answer = server.ask(made[1]) if made else "left out"
        if answer != "ok": answer = differs(server, seed, *made, answer) if made and not answer.startswith("accepted") else answer
        counts[answer] = counts.get(answer, 0) + 1
    server.close()


def differs(server, seed, program, _, answer):
    smallest, difference = Minimiser(server, program, answer).run()
    print(f"program {seed}: {answer}", *("  " + line for line in smallest), f"  -> {difference}", "", sep="\n", flush=True)
    return "different"


def run(options):
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        counts, at, left = manager.dict(), context.Value("q", 0), seeds(options)
        while left:
            process = context.Process(target=compare, args=(options, left, counts, at))
            process.start()
            process.join()
            left = range(at.value + 1, left.stop)
            if process.exitcode == 0: break
            counts["ended PyTorch"] = counts.get("ended PyTorch", 0) + 1
            print(f"program {at.value}: ended with {process.exitcode}", flush=True)
        for name, count in sorted(counts.items()): print(f"{count} {name}")
        return 1 if "different" in counts else 0


def write(options):
    made = (recorded(seed, options) for seed in seeds(options))
    text = "".join("\n".join(each[1]) + "\n\n" for each in made if each)
    RECORDED.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{RECORDED}: {RECORDED.stat().st_size} bytes")
    return 0


def show(options):
    print("\n".join(record(generate(options.seed), options.digits)))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "record", "show"])
    parser.add_argument("--programs", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000, help="of the first; printed if not given")
    parser.add_argument("--classes", help="the class path, if not that of ./gradwire build")
    options = parser.parse_args()
    options.digits, options.leaves = (FEW_DIGITS, True) if options.command == "record" else (9, False)
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    print(f"seed {options.seed}", flush=True)
    sys.exit({"run": run, "record": write, "show": show}[options.command](options))


if __name__ == "__main__":
    main()
