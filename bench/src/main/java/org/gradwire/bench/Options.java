package org.gradwire.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The command line of {@link Bench}. */
@Command(
        name = "gradwire bench",
        description =
                "Measure calls, tensors and autograd between two processes, and operators in one, on"
                        + " Gradwire, PyTorch, gRPC and the bare machine, taking turns.")
final class Options {
    private static final List<String> ALL = List.of("gradwire", "pytorch", "grpc", Limits.NAME);
    private static final Set<String> GATE = Set.of("gradwire", Limits.NAME);

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(names = "--quick", description = "Take less time, and be less sure.")
    private boolean quick;

    @Option(
            names = "--gate",
            description =
                    "Measure what has a limit of the machine only, and fail where the ratio to it is"
                            + " less than half of the one that is committed.")
    private boolean gate;

    @Option(
            names = "--growth",
            description =
                    "Measure instead how figures grow with workers, references, contexts, graphs and"
                            + " payloads, for some minutes, and fail where one grows worse than it may.")
    private boolean growth;

    @Option(
            names = "--network",
            description =
                    "Measure calls and an echo between two network namespaces of this machine"
                            + " instead, over UDP beside PyTorch's uv. As root only.")
    private boolean network;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = "Measure only figures, or growths, whose name contains a match.")
    private Pattern only = Pattern.compile("");

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description = "Measure only these: gradwire, pytorch, grpc, limit.")
    private Set<String> systems = Set.copyOf(ALL);

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the numbers there too, a JSON object in each line.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--best",
            description =
                    "Report the best round instead of the median of all: for a machine that does other"
                            + " work at the same time.")
    private boolean best;

    @Option(names = "--markdown", description = "Print the table in Markdown.")
    private boolean markdown;

    @Option(
            names = "--python",
            paramLabel = "PATH",
            description = "The Python that has PyTorch. Default: python3, /usr/bin/python3.")
    private Optional<String> python = Optional.empty();

    @Option(
            names = "--jmh",
            description =
                    "Run the JMH benchmarks of parts instead; what follows is passed to JMH, such as a"
                            + " regular expression of names.")
    private boolean jmh;

    @Parameters(paramLabel = "ARG", description = "JMH's arguments, after --jmh.")
    private List<String> jmhArguments = List.of();

    private final Baseline baseline;

    /** Create options whose gate is a baseline. */
    Options(Baseline baseline) {
        this.baseline = baseline;
    }

    /**
     * Check what the parser cannot.
     *
     * @throws ParameterException naming the argument
     */
    void validate(CommandLine commandLine) {
        if (!jmh && !jmhArguments.isEmpty()) {
            throw new ParameterException(
                    commandLine, "'" + jmhArguments.getFirst() + "' is not known");
        }
        if (network && gate) {
            throw new ParameterException(
                    commandLine, "--network cannot be combined with --gate: it has no baseline");
        }
        for (String system : systems) {
            if (!ALL.contains(system)) {
                throw new ParameterException(
                        commandLine, "--systems '" + system + "' must be one of " + ALL);
            }
        }
    }

    /** {@return whether only the options are to be listed} */
    boolean isHelp() {
        return help;
    }

    boolean isJmh() {
        return jmh;
    }

    List<String> jmhArguments() {
        return jmhArguments;
    }

    /** {@return whether two hosts are measured instead of this one} */
    boolean isNetwork() {
        return network;
    }

    boolean isGate() {
        return gate;
    }

    /**
     * {@return whether a figure need not be measured again, as other work may have disturbed it}
     */
    boolean accepts(Figure figure, Map<String, Timing> bySystem) {
        return !gate || baseline.isKept(figure, bySystem);
    }

    boolean isGrowth() {
        return growth;
    }

    boolean wantsGrowth(String name) {
        return only.matcher(name).find();
    }

    boolean wants(Figure figure) {
        return figure.isNetwork() == network
                && only.matcher(figure.label()).find()
                && (!gate || baseline.has(figure));
    }

    /** {@return whether the memory of a training step is measured, which takes half a minute} */
    boolean wantsMemory() {
        return !quick
                && wants("gradwire")
                && wants("pytorch")
                && only.matcher("memory.mlpstep").find();
    }

    boolean wants(String system) {
        return systems.contains(system) && (!gate || GATE.contains(system));
    }

    /** {@return how long a system works on a figure at a time before it counts} */
    Duration warmupRound() {
        return Duration.ofMillis(500);
    }

    /** {@return the most rounds before it counts, for systems that become faster while they run} */
    int warmupRounds() {
        return quick ? 4 : gate ? 20 : 40;
    }

    /** {@return how long a round takes; long enough that a 99th percentile is not the maximum} */
    Duration round(Figure figure) {
        Duration round = Duration.ofMillis(quick ? 60 : 300);
        return figure.takesMillis() ? round.multipliedBy(5) : round;
    }

    int rounds() {
        return quick || gate ? 3 : 7;
    }

    Optional<Path> json() {
        return json;
    }

    boolean isBest() {
        return best || gate;
    }

    boolean isMarkdown() {
        return markdown;
    }

    Optional<String> python() {
        return python;
    }
}
