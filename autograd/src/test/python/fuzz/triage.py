"""The accepted differences; `src/test/resources/fuzz/triage.txt` describes its format."""
import re
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "resources" / "fuzz" / "triage.txt"


def rules(kind):
    """The patterns of one kind."""
    return [re.compile(line.split(" ", 1)[1]) for line in FILE.read_text().splitlines() if line.startswith(kind + " ")]


FAULTS = {kind: rules(kind) for kind in ("forward", "backward")}


def is_fault(kind, error):
    """Whether the text of an error of an operator, or of backward, is that of a fault of PyTorch."""
    return any(pattern.search(str(error)) for pattern in FAULTS[kind])
