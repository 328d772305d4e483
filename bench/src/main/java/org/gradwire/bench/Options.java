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

    @Option(
            names = "--gate",
            description =
                    "Measure only metrics with a limit of the machine, and fail if a ratio to it is"
                            + " less than half of its baseline.")
    private boolean gate;

    @Option(
            names = "--growth",
            description =
                    "Measure instead how metrics grow with workers, references, contexts, graphs and"
                            + " payloads, for some minutes, and fail if one grows by more than its bound.")
    private boolean growth;

    @Option(
            names = "--network",
            description =
                    "Measure calls and an echo between two network namespaces of this machine"
                            + " instead: over UDP without encryption, with a token (sealed) and with"
                            + " certificates (certified), over TCP with certificates (netty-mtls),"
                            + " with PyTorch's uv, and with gRPC over mutual TLS (grpc-mtls). Needs"
                            + " root.")
    private boolean network;

    @Option(
            names = "--recovery",
            description =
                    "Measure instead the time from the kill -9 of a worker to the first step of all workers"
                            + " after it, with the launcher and with torchrun, and fail if a group leaves"
                            + " anything behind.")
    private boolean recovery;

    @Option(
            names = "--collectives",
            description =
                    "Measure collective operations among processes of this machine instead, in turns with"
                            + " PyTorch's backend gloo.")
    private boolean collectives;

    @Option(
            names = "--checkpoint",
            description =
                    "Measure instead how long saves of a checkpoint stop a training, in turns with the"
                            + " training without saves, and with PyTorch's torch.save.")
    private boolean checkpoint;

    @Option(
            names = "--local",
            description =
                    "Measure operators and their backward passes on one thread of one process instead, in turns"
                            + " with PyTorch.")
    private boolean local;

    @Mixin private GroupOptions groups = new GroupOptions();

    @Option(
            names = "--busy",
            paramLabel = "N",
            description = "Measure next to this number of endless threads. Default: 0.")
    private int busy;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description =
                    "Measure operators, training steps and an echo between two processes on a device"
                            + " instead, such as cuda:0, and with PyTorch there.")
    private Optional<String> device = Optional.empty();

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description =
                    "Measure only metrics, or growth benchmarks, whose name contains a match.")
    private Pattern only = Pattern.compile("");

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Measure only these: gradwire, pytorch, grpc, limit; with --network gradwire,"
                            + " sealed, certified, netty-mtls, pytorch, grpc-mtls, limit; with --recovery gradwire,"
                            + " standby, pytorch; with"
                            + " --collectives gradwire, pytorch, limit; with --local gradwire, pytorch.")
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

    @Option(
            names = "--jmh",
            description =
                    "Run the JMH benchmarks of parts instead; later arguments are passed to JMH, such as a"
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
     * Check the conditions that the parser does not check.
     *
     * @throws ParameterException with the name of the argument
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
        if (recovery && (network || gate || growth || device.isPresent())) {
            throw new ParameterException(
                    commandLine,
                    "--recovery cannot be combined with --network, --gate, --growth or --device");
        }
        if (collectives && (network || gate || growth || recovery || device.isPresent())) {
            throw new ParameterException(
                    commandLine,
                    "--collectives cannot be combined with --network, --gate, --growth, --recovery or"
                            + " --device");
        }
        if (checkpoint
                && (network || gate || growth || recovery || collectives || device.isPresent())) {
            throw new ParameterException(
                    commandLine, "--checkpoint cannot be combined with another mode");
        }
        if (local && (network || gate || growth || recovery || collectives || device.isPresent())) {
            throw new ParameterException(
                    commandLine,
                    "--local cannot be combined with --network, --gate, --growth, --recovery,"
                            + " --collectives or --device");
        }
        if (busy < 0) {
            throw new ParameterException(commandLine, "--busy must be 0 or more, but is " + busy);
        }
        if (!groups.isValid()) {
            throw new ParameterException(
                    commandLine,
                    (collectives ? "--collectives" : "--recovery")
                            + " needs --kills 1 or more, and --workers 2 or more");
        }
        device.ifPresent(name -> validateDevice(commandLine, name));
        for (String system : systems) {
            if (!ALL.contains(system)) {
                throw new ParameterException(
                        commandLine, "--systems '" + system + "' must be one of " + ALL);
            }
        }
    }

    private void validateDevice(CommandLine commandLine, String name) {
        if (network || gate || growth) {
            throw new ParameterException(
                    commandLine, "--device cannot be combined with --network, --gate or --growth");
        }
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

    /** {@return whether the time after the end of a worker is measured instead} */
    boolean isRecovery() {
        return recovery;
    }

    /** {@return whether collective operations are measured instead} */
    boolean isCollectives() {
        return collectives;
    }

    /** {@return whether the pauses of saves are measured instead} */
    boolean isCheckpoint() {
        return checkpoint;
    }

    /** {@return whether operators on one thread are measured instead} */
    boolean isLocal() {
        return local;
    }

    /** {@return the sizes of the groups} */
    List<Integer> workers() {
        return groups.workers(collectives ? List.of(2, 4) : List.of(2, 8));
    }

    /** {@return the number of kills of each system and size} */
    int kills() {
        return groups.kills();
    }

    /** {@return whether each system has all its kills in one run} */
    boolean isOneTurn() {
        return groups.isOneTurn();
    }

    /** {@return the number of endless threads during the measurement} */
    int busy() {
        return busy;
    }

    /** {@return the device that is measured instead of the host; empty for the host} */
    Optional<Device> device() {
        return device.map(Device::parse);
    }

    boolean isGate() {
        return gate;
    }

    /** {@return whether the results of a metric are accepted without another measurement} */
    boolean accepts(Metric metric, Map<String, Timing> bySystem) {
        return !gate || baseline.isKept(metric, bySystem);
    }

    boolean isGrowth() {
        return growth;
    }

    boolean wantsGrowth(String name) {
        return only.matcher(name).find();
    }

    boolean wants(Metric metric) {
        return metric.isNetwork() == network
                && metric.isDevice() == device.isPresent()
                && metric.isCollective() == collectives
                && metric.isOperator() == local
                && !(quick && metric == Metric.ALL_REDUCE_256_MIB)
                && only.matcher(metric.label()).find()
                && (!gate || baseline.has(metric));
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

    /** {@return the length of a warm-up round} */
    Duration warmupRound() {
        return Duration.ofMillis(500);
    }

    /** {@return the maximum of warm-up rounds, for systems that become faster while they run} */
    int warmupRounds() {
        if (quick) {
            return collectives ? 20 : 4;
        }
        return gate ? 20 : 40;
    }

    /** {@return the length of a round, long enough that the 99th percentile is not the maximum} */
    Duration round(Metric metric) {
        Duration round = Duration.ofMillis(quick ? 60 : 300);
        return metric.takesMillis() ? round.multipliedBy(5) : round;
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
