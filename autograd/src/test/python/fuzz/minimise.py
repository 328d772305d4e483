"""Shrinks a program that shows a difference, for as long as the same kind of difference at the same operator stays."""
import copy

from program import NAMES, Call, Change, Input, Run, Unsupported, line, record, used


def signature(difference):
    """What must stay: the kind, and the operator where there is one."""
    kind, operator = difference.split(" ")[:2]
    return kind, operator.split("(")[0] if "::" in operator and not operator.startswith("[") else operator == "backward"


class Minimiser:
    def __init__(self, server, program, difference):
        self.server, self.program, self.difference = server, program, difference
        self.wanted = signature(difference)

    def shows(self, program):
        """Keep a smaller program that shows the difference."""
        try:
            lines = record(copy.deepcopy(program))
        except (Unsupported, RuntimeError, IndexError, KeyError, ValueError):
            return False
        answer = self.server.ask(lines)[1]
        if answer == "ok" or signature(answer) != self.wanted: return False
        self.program, self.difference = program, answer
        return True

    def without(self, at):
        """The program without a statement, and without what needs it."""
        gone, kept = set(), []
        for i, statement in enumerate(self.program):
            names = [] if isinstance(statement, Change) else statement.names if isinstance(statement, Call) else [statement.name]
            if i == at or gone.intersection(used(statement)): gone.update(names)
            else: kept.append(statement)
        return kept

    def cut(self, at):
        """The program with the results of a statement as inputs."""
        statement = self.program[at]
        if not isinstance(statement, Call) or statement.raised: return None
        run = Run()
        for each in self.program[:at + 1]: run.execute(each)
        values = [run.values[name] for name in statement.names]
        inputs = [Input(n, NAMES[v.dtype], tuple(v.shape), v.requires_grad, v.detach().reshape(-1).tolist()) for n, v in zip(statement.names, values)]
        return self.program[:at] + inputs + self.program[at + 1:]

    def simpler(self, at):
        """The program with an input that has simpler elements, or no gradient."""
        statement = self.program[at]
        if not isinstance(statement, Input): return
        for change in ({"values": [1.0 if statement.dtype.startswith("float") else 1] * len(statement.values)}, {"grad": False}):
            new = copy.deepcopy(statement)
            for name, value in change.items(): setattr(new, name, value)
            if new != statement: yield self.program[:at] + [new] + self.program[at + 1:]

    def run(self):
        """Return the smallest program found, and its difference."""
        shrunk = True
        while shrunk:
            shrunk = False
            for at in reversed(range(len(self.program))):
                if at >= len(self.program): continue
                for smaller in (self.without(at), self.cut(at), *self.simpler(at)):
                    if smaller and smaller != self.program and self.shows(smaller):
                        shrunk = True
                        break
        return [line(statement) for statement in self.program], self.difference
