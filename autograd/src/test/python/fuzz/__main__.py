"""Compares random programs of operators with PyTorch 1.13, from the root of the project, after `./gradwire build`:

  /usr/bin/python3 autograd/src/test/python/fuzz run --programs 1000 --seed 7     fresh programs; shrinks and prints each that differs
  /usr/bin/python3 autograd/src/test/python/fuzz record --programs 2000 --seed 1  writes the programs that FuzzTest runs
  /usr/bin/python3 autograd/src/test/python/fuzz show --seed 7                     prints one program with PyTorch's results

`run` fails where a program differs, where Gradwire's process ends or hangs, and where an accepted difference excuses more than 2 % of
the programs. Some calls end the process of PyTorch: those are counted, and the run goes on behind them.
"""
import argparse
import gzip
import multiprocessing
import multiprocessing.connection
import os
import re
import select
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from generate import generate  # noqa: E402
from minimise import Minimiser  # noqa: E402
from program import FEW_DIGITS, Unsupported, record  # noqa: E402
from triage import ACCEPTED  # noqa: E402

ROOT = Path(__file__).resolve().parents[5]
RECORDED = ROOT / "autograd/src/test/resources/fuzz/programs.gz"
SEEDS_APART = 1_000_000
MOST_ACCEPTED = 0.02
FAILED = "failed in the fuzzer"
FEWEST_FOR_SHARES = 1000
LONGEST_ANSWER_SECONDS = 60


class Ended(Exception):
    """FuzzServer ended or hangs: a fault of Gradwire's."""


class Server:
    """FuzzServer in a process of its own, which starts again after it ended."""

    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, lines):
        """Return the rules that accept differences, and `ok` or the first difference that none accepts."""
        try:
            answer = self.answer("\n".join(lines) + "\n\n")
        except (Ended, BrokenPipeError) as error:
            self.close()
            return [], f"ended Gradwire: {error}"
        rules, last = answer.rsplit("\t", 1)
        return rules.split("\t") if rules else [], last

    def answer(self, text):
        if not self.process:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.process.stdin.write(text)
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], LONGEST_ANSWER_SECONDS)[0]: raise Ended("no answer")
        line = self.process.stdout.readline().strip("\n")
        if not line: raise Ended((self.process.stderr.read().splitlines() or ["without a word"])[-1])
        return line

    def close(self):
        if not self.process: return
        self.process.kill()
        self.process.wait()
        self.process = None


def java(classes):
    libraries = classes or ":".join(str(ROOT / path) for path in ("autograd/target/classes", "autograd/target/test-classes", "dist/target/dist/lib/*"))
    home = os.environ.get("JAVA_HOME")
    return [f"{home}/bin/java" if home else "java", "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-XX:MaxInlineLevel=30",
            "-XX:+UseSerialGC", "-Xmx1g", "-cp", libraries, "org.gradwire.tensor.FuzzServer"]


def seeds(options):
    """The programs to compare: fresh ones, or those that an earlier run names."""
    if options.again: return [int(seed) for seed in re.findall(r"^program (\d+):", Path(options.again).read_text(), re.MULTILINE)]
    return range(options.seed * SEEDS_APART, options.seed * SEEDS_APART + options.programs)


def recorded(seed, options, counts):
    """A program and its lines, or None for one that promises nothing."""
    try:
        program = generate(seed)
        return program, record(program, options.digits)
    except Unsupported as reason:
        add(counts, f"left out: {reason}")
        return None
    except Exception as error:  # one program must not end a run of many
        print(f"program {seed}: {traceback.format_exc()}", flush=True)
        add(counts, f"{FAILED}: {error}")
        return None


def add(counts, name): counts[name] = counts.get(name, 0) + 1


def compare(options, wanted, counts, at):
    """Compare programs, and keep the seed of the one at hand in `at`: a call that ends the process is PyTorch's own fault."""
    server = Server(java(options.classes))
    for seed in wanted:
        at.value = seed
        made = recorded(seed, options, counts)
        if not made: continue
        rules, answer = server.ask(made[1])
        for rule in rules: add(counts, f"accepted {rule}")
        add(counts, "ok" if answer == "ok" else "different")
        if answer != "ok": shrink(server, seed, made[0], answer)
    server.close()


def shrink(server, seed, program, answer):
    smallest, difference = Minimiser(server, program, answer).run()
    print(f"program {seed}: {answer}", *("  " + line for line in smallest), f"  -> {difference}", "", sep="\n", flush=True)


class Job:
    """A process that compares a part of the programs, and another one where a call of PyTorch ended it."""

    def __init__(self, context, options, left):
        self.context, self.options, self.left = context, options, left
        self.counts, self.at = context.Manager().dict(), context.Value("q", left[0])
        self.start()

    def start(self):
        self.process = self.context.Process(target=compare, args=(self.options, self.left, self.counts, self.at))
        self.process.start()

    def goes_on(self):
        """Whether it goes on after its process has ended."""
        code = self.process.exitcode
        if code > 0: raise SystemExit(f"the comparison failed at program {self.at.value}")
        if code == 0: return False
        add(self.counts, "ended PyTorch")
        print(f"program {self.at.value}: ended PyTorch with signal {-code}", flush=True)
        self.left = self.left[self.left.index(self.at.value) + 1:]
        if self.left: self.start()
        return bool(self.left)


def require_start(options):
    """Fail at once where FuzzServer does not start, rather than at each program."""
    server = Server(java(options.classes))
    rules, answer = server.ask(["in v0 float32 - - 1"])
    server.close()
    if answer.startswith("ended Gradwire"):
        raise SystemExit(f"{answer.strip()}\nGradwire does not start; run ./gradwire build, and set JAVA_HOME to a JDK 25")


def run(options):
    require_start(options)
    context, started = multiprocessing.get_context("fork"), time.monotonic()
    every = seeds(options)
    jobs = [Job(context, options, every[i::options.jobs]) for i in range(min(options.jobs, len(every)))]
    running = list(jobs)
    while running:
        multiprocessing.connection.wait([job.process.sentinel for job in running])
        for job in running: job.process.join(0)
        running = [job for job in running if job.process.exitcode is None or job.goes_on()]
    counts = {}
    for job in jobs:
        for name, count in job.counts.items(): counts[name] = counts.get(name, 0) + count
    print(f"{len(every) / (time.monotonic() - started):.1f} programs a second")
    return report(counts, len(every))


def report(counts, programs):
    """Print how many programs ended how; return 1 for a failure."""
    for name, count in sorted(counts.items()): print(f"{count} {name}")
    for rule in ACCEPTED:
        if f"accepted {rule}" not in counts: print(f"0 accepted {rule}")
    many = [name for name, count in counts.items() if name.startswith("accepted ") and count > MOST_ACCEPTED * programs]
    if programs < FEWEST_FOR_SHARES: many = []
    for name in many: print(f"more than {MOST_ACCEPTED:.0%} of the programs: {name}")
    failed = any(name == "different" or name.startswith(FAILED) for name in counts)
    return 1 if many or failed else 0


def write(options):
    made = (recorded(seed, options, {}) for seed in seeds(options))
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
    parser.add_argument("--seed", type=int, default=int(time.time()) % SEEDS_APART, help="of the first; printed if not given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes compare")
    parser.add_argument("--again", metavar="LOG", help="instead, the programs that the output of an earlier run names")
    parser.add_argument("--classes", help="the class path, if not that of ./gradwire build")
    options = parser.parse_args()
    options.digits = FEW_DIGITS if options.command == "record" else 9
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    print(f"seed {options.seed}", flush=True)
    sys.exit({"run": run, "record": write, "show": show}[options.command](options))


if __name__ == "__main__":
    main()
