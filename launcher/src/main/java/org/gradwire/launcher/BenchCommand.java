package org.gradwire.launcher;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code gradwire bench}: short for {@code gradwire run bench}, with every argument passed on. */
@Command(
        name = "bench",
        description = "Measure Gradwire and its peers. Short for: run bench [ARG...]")
final class BenchCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ARG", description = "The program's arguments.")
    private List<String> arguments = new ArrayList<>();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        CommandLine gradwire = spec.root().commandLine();
        return gradwire.execute(
                Stream.concat(Stream.of("run", "bench"), arguments.stream())
                        .toArray(String[]::new));
    }
}
