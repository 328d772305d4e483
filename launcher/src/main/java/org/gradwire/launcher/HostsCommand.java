package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.hosts.Host;
import org.gradwire.launcher.hosts.HostsPlan;
import org.gradwire.launcher.hosts.HostsRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code gradwire hosts}: starts a group on several hosts, through {@code ssh}. */
@Command(
        name = "hosts",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        customSynopsis = "gradwire hosts HOST[,HOST...] [OPTION...] -- PROGRAM [ARG...]",
        description =
                "Start a group of workers on several hosts, through ssh. Each host needs Gradwire in"
                        + " the same directory, and a login without a question.",
        footer = {
            "",
            "The program starts in the current directory where a host has it, else in the home"
                    + " directory. Its arguments and --env are visible to all users of a host.",
            "When a worker fails, the others on all hosts are ended, and its exit code is the"
                    + " command's (128 + n for signal n). 124: --timeout is over. 126: a host cannot"
                    + " be reached, or the connection has ended. 2: wrong usage."
        })
final class HostsCommand implements Callable<Integer> {
    /** The system property with the directory of this Gradwire, which {@code ./gradwire} sets. */
    static final String DIRECTORY_PROPERTY = "gradwire.directory";

    private static final String SEPARATOR = "--";

    @Mixin private HostsOptions options = new HostsOptions();

    @Mixin private WorkerOptions workerOptions = new WorkerOptions();

    @Parameters(
            index = "0",
            paramLabel = "HOSTS",
            description =
                    "Hosts, separated by commas: HOST, USER@HOST or HOST:N for N workers there."
                            + " The first one has rank 0; ranks follow the sequence.")
    private String hosts = "";

    @Parameters(
            index = "1..*",
            paramLabel = "PROGRAM [ARG...]",
            description = "After --: the program as in gradwire run, and its arguments.")
    private List<String> program = new ArrayList<>();

    @Spec private CommandSpec spec = CommandSpec.create();

    private final Console console;

    HostsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        requireProgram();
        return new HostsRun(plan(), console).run();
    }

    private void requireProgram() {
        boolean isSeparated =
                spec.commandLine().getParseResult().originalArgs().contains(SEPARATOR);
        if (!isSeparated || program.isEmpty()) {
            throw new LauncherException(
                    program.isEmpty()
                            ? "no program given: write it after --, as in ./gradwire hosts h1,h2 -- train"
                            : "write -- before the program '%s': ./gradwire hosts HOSTS [OPTION...] -- %s"
                                    .formatted(program.getFirst(), program.getFirst()));
        }
    }

    private HostsPlan plan() {
        List<Host> all = hosts();
        var plan =
                new HostsPlan(
                        all,
                        options.workers(),
                        options.address(all.getFirst()),
                        options.port(),
                        options.ssh(),
                        options.directory(),
                        Path.of("").toAbsolutePath().toString(),
                        arguments(),
                        program,
                        options.isSecure(),
                        workerOptions.grace(),
                        workerOptions.timeout());
        if (plan.worldSize() > Short.MAX_VALUE) {
            throw new LauncherException(
                    "%d hosts have %d workers; a group has at most %d: lower --workers"
                            .formatted(all.size(), plan.worldSize(), Short.MAX_VALUE));
        }
        return plan;
    }

    /** {@return the options of each launcher, each with its value in one argument} */
    private List<String> arguments() {
        workerOptions.refuseVisibleToken();
        return Stream.concat(options.arguments().stream(), workerOptions.arguments().stream())
                .toList();
    }

    private List<Host> hosts() {
        try {
            return Host.parseList(hosts);
        } catch (IllegalArgumentException e) {
            throw new LauncherException(String.valueOf(e.getMessage()));
        }
    }
}
