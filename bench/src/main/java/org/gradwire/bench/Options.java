package org.gradwire.bench;

import org.gradwire.tensor.Device;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                        + " Gradwire, PyTorch, gRPC and the bare machine, in alternation.")
final class Options {
    private static final List<String> ALL =
            List.of(
                    "gradwire",
                    NetworkBench.SEALED,
                    NetworkBench.CERTIFIED,
                    NetworkBench.NETTY,
                    "pytorch",
                    "grpc",
                    NetworkBench.GRPC_MTLS,
                    MachineLimits.NAME,
                    RecoveryBench.STANDBY);
    private static final Set<String> GATE = Set.of("gradwire", MachineLimits.NAME);

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(names = "--quick", description = "Measure faster, with more noise.")
    private boolean quick;

    @Mixin private GroupOptions groups = new GroupOptions();

    private final ModeOptions modes = new ModeOptions();

    @Option(
            names = "--busy",
            paramLabel = "N",
            description = "Measure next to this number of endless threads. Default: 0.")
    private int busy;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description =
                    "Measure only metrics, growth benchmarks or rows of --recovery whose name contains a match;"
                            + " with --cold and --memory, report only them.")
    private Pattern only = Pattern.compile("");

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Measure only these: gradwire, pytorch, grpc, limit; with --network gradwire,"
                            + " sealed, certified, netty-mtls, pytorch, grpc-mtls, limit; with --recovery gradwire,"
                            + " standby, pytorch; with"
                            + " --collectives gradwire, pytorch, limit; with --cold, --memory and --paced gradwire, pytorch, grpc;"
                            + " with --local gradwire, pytorch.")
    private Set<String> systems = Set.copyOf(ALL);

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the numbers to this file, a JSON object in each line.")
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
            description = "A Python with PyTorch. Default: python3, /usr/bin/python3.")
    private Optional<String> python = Optional.empty();

    @Parameters(paramLabel = "ARG", description = "JMH's arguments, after --jmh.")
    private List<String> jmhArguments = List.of();

    private final Baseline baseline;

    /** Create options whose gate is a baseline. */
    Options(Baseline baseline) {
        this.baseline = baseline;
    }

    /**
     * Parse arguments.
     *
     * @return the command line, for its usage
     * @throws ParameterException with the name of the argument
     */
    CommandLine parse(String... arguments) {
        var commandLine = new CommandLine(this).setUnmatchedOptionsArePositionalParams(true);
        modes.addTo(commandLine);
        commandLine.parseArgs(arguments);
        modes.read(commandLine);
        return commandLine;
    }

    /**
     * Check the conditions that the parser does not check.
     *
     * @throws ParameterException with the name of the argument
     */
    void validate(CommandLine commandLine) {
        if (mode() != Mode.JMH && !jmhArguments.isEmpty()) {
            throw new ParameterException(
                    commandLine, "'" + jmhArguments.getFirst() + "' is not known");
        }
        if (busy < 0) {
            throw new ParameterException(commandLine, "--busy must be 0 or more, but is " + busy);
        }
        groups.validate(commandLine);
        modes.parameter().ifPresent(text -> validateParameter(commandLine, text));
        for (String system : systems) {
            if (!ALL.contains(system)) {
                throw new ParameterException(
                        commandLine, "--systems '" + system + "' must be one of " + ALL);
            }
        }
    }

    private void validateParameter(CommandLine commandLine, String text) {
        if (mode() == Mode.DEVICE) {
            validateDevice(commandLine, text);
        } else if (!text.matches("[1-9]\\d{1,5}")) {
            throw new ParameterException(
                    commandLine, "--soak needs a number of seconds, 10 or more, not " + text);
        }
    }

    private static void validateDevice(CommandLine commandLine, String name) {
        try {
            Device named = Device.parse(name);
            if (named.isCpu()) {
                throw new IllegalArgumentException("without --device the bench measures the host");
            }
            named.synchronize(); // it exists
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, "--device " + name + ": " + e.getMessage());
        }
    }

    /** {@return whether to only list the options} */
    boolean isHelp() {
        return help;
    }

    Mode mode() {
        return modes.mode();
    }

    private boolean isGate() {
        return mode() == Mode.GATE;
    }

    /** {@return JMH's arguments} */
    List<String> jmhArguments() {
        return jmhArguments;
    }

    /** {@return the sizes of the groups} */
    List<Integer> workers() {
        return groups.workers(mode() == Mode.COLLECTIVES ? List.of(2, 4) : List.of(2, 8));
    }

    /** {@return the number of kills of each system and size} */
    int kills() {
        return groups.kills();
    }

    /** {@return the number of fresh pairs of processes of each system} */
    int turns() {
        return groups.turns(quick ? 2 : 5);
    }

    /** {@return whether each system has all its kills in one run} */
    boolean isOneTurn() {
        return groups.isOneTurn();
    }

    /** {@return whether the members of a group are on two hosts that are network namespaces} */
    boolean isInNamespaces() {
        return groups.isInNamespaces();
    }

    /** {@return the number of endless threads during the measurement} */
    int busy() {
        return busy;
    }

    /** {@return the device that is measured} */
    Device device() {
        return Device.parse(modes.parameter().orElseThrow());
    }

    /** {@return the time of mixed work} */
    int soakSeconds() {
        return Integer.parseInt(modes.parameter().orElseThrow());
    }

    /** {@return whether the results of a metric are accepted without another measurement} */
    boolean accepts(Metric metric, Map<String, Timing> bySystem) {
        return !isGate() || baseline.isKept(metric, bySystem);
    }

    /** {@return whether {@code --only} selects a name} */
    boolean selects(String name) {
        return only.matcher(name).find();
    }

    boolean wants(Metric metric) {
        return metric.mode() == (isGate() ? Mode.COMPARISON : mode())
                && !(quick && CollectivesBench.LARGEST.contains(metric))
                && only.matcher(metric.label()).find()
                && (!isGate() || baseline.has(metric));
    }

    boolean wants(String system) {
        return systems.contains(system) && (!isGate() || GATE.contains(system));
    }

    /** {@return the time for which a system makes paced calls} */
    Duration pacedRound() {
        return Duration.ofSeconds(quick ? 2 : 5);
    }

    /** {@return the time after which workers without calls are idle} */
    Duration idleTime() {
        return Duration.ofSeconds(quick ? 5 : 20);
    }

    /** {@return the length of a warm-up round} */
    Duration warmupRound() {
        return Duration.ofMillis(500);
    }

    /** {@return the maximum of warm-up rounds, for systems that become faster while they run} */
    int warmupRounds() {
        if (quick) {
            return mode() == Mode.COLLECTIVES ? 20 : 4;
        }
        return isGate() ? 20 : 40;
    }

    /** {@return the length of a round, long enough that the 99th percentile is not the maximum} */
    Duration round(Metric metric) {
        Duration round = Duration.ofMillis(quick ? 60 : 300);
        return metric.takesMillis() ? round.multipliedBy(5) : round;
    }

    int rounds() {
        return quick || isGate() ? 3 : 7;
    }

    Optional<Path> json() {
        return json;
    }

    boolean isBest() {
        return best || isGate();
    }

    boolean isMarkdown() {
        return markdown;
    }

    Optional<String> python() {
        return python;
    }
}
