"""The accepted differences; `src/test/resources/fuzz/triage.txt` describes its format."""
import re
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "resources" / "fuzz" / "triage.txt"


def rules(kind):
    """The patterns of one kind."""
    return [re.compile(line.split(" ", 1)[1]) for line in FILE.read_text().splitlines() if line.startswith(kind + " ")]


ACCEPTED = [pattern.pattern for pattern in rules("difference")]
FAULTS = {kind: rules(kind) for kind in ("forward", "backward")}


def fault(kind, error):
    """The pattern of a fault of PyTorch's own that the text of an error of an operator, or of backward, fits; or None."""
    return next((pattern.pattern for pattern in FAULTS[kind] if pattern.search(str(error))), None)
