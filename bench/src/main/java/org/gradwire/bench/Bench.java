package org.gradwire.bench;

import org.gradwire.bench.growth.GrowthBenchmarks;
import org.gradwire.bench.jmh.Jmh;
import org.gradwire.bench.process.BusyThreads;
import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.Ports;
import org.gradwire.bench.process.TemporaryDirectories;
import org.gradwire.bench.tls.GrpcTls;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code ./gradwire bench}: the first of two workers measures, the second serves its calls. */
public final class Bench {
    private static final String NOTE =
            "x: how many times better gradwire is, above 1. limit: an echo of 64 bytes, or 64 KiB,"
                    + " through Aeron's shared memory alone; from 1 MiB on, two copies of the memory; of mixed, the same echo during copies of 8 MiB by another thread;"
                    + " of alloc, the target.";

    private Bench() {}

    /** Measure, with the options that {@code --help} lists. */
    public static void main(String[] args) throws Exception {
        Baseline baseline = Baseline.committed();
        var options = new Options(baseline);
        boolean first = System.getenv().getOrDefault("GRADWIRE_RANK", "0").equals("0");
        try {
            CommandLine commandLine = options.parse(args);
            if (options.isHelp()) {
                if (first) {
                    commandLine.usage(System.out);
                }
                return;
            }
            options.validate(commandLine);
        } catch (ParameterException e) {
            System.err.println(e.getMessage() + "; --help lists the options");
            System.exit(2);
        }
        try (var _ = BusyThreads.start(first ? options.busy() : 0)) {
            if (first || !options.mode().isOfFirstWorker()) {
                run(options, baseline, first);
            }
        }
    }

    private static void run(Options options, Baseline baseline, boolean first) throws Exception {
        switch (options.mode()) {
            case COMPARISON -> compare(options, first);
            case GATE -> {
                List<String> worse = baseline.regressions(compare(options, first));
                pass(first, worse, "No ratio to a limit has halved.");
            }
            case GROWTH ->
                    pass(
                            first,
                            grow(options, first),
                            "No measurement grows by more than its bound.");
            case NETWORK -> NetworkBench.run(options);
            case RECOVERY -> RecoveryBench.run(options);
            case COLLECTIVES -> CollectivesBench.run(options);
            case CHECKPOINT -> CheckpointBench.run(options);
            case COLD -> ColdBench.run(options);
            case SOAK ->
                    pass(
                            first,
                            SoakBench.run(options.soakSeconds()),
                            "Nothing grows by more than its bound.");
            case MEMORY -> MemoryBench.run(options);
            case PACED -> PacedBench.run(options);
            case LOCAL -> LocalBench.run(options);
            case DEVICE -> DeviceBench.run(options, options.device(), first);
            case JMH -> Jmh.run(options.jmhArguments());
        }
    }

    private static Map<Metric, Map<String, Timing>> compare(Options options, boolean first)
            throws Exception {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            return first ? measure(rpc, options) : Map.of();
        }
    }

    private static List<String> grow(Options options, boolean first) throws Exception {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            return first
                    ? new GrowthBenchmarks(rpc, rpc.worker(1).name()).run(options::selects)
                    : List.of();
        }
    }

    /** Report as the first worker, and exit with code 1 on failure. */
    private static void pass(boolean first, List<String> wrong, String otherwise) {
        if (!first) {
            return;
        }
        wrong.forEach(System.err::println);
        if (!wrong.isEmpty()) {
            System.exit(1);
        }
        System.out.println(otherwise);
    }

    private static Map<Metric, Map<String, Timing>> measure(Rpc rpc, Options options)
            throws Exception {
        String peer = rpc.worker(1).name();
        Path folder = Files.createTempDirectory("gradwire-bench");
        List<Subject> subjects = new ArrayList<>();
        try {
            if (options.wants("gradwire")) {
                var workloads = new EnumMap<Metric, Workload>(new RemoteWorkloads(rpc, peer).all());
                workloads.putAll(new LocalWorkloads().all());
                subjects.add(
                        Subject.of(
                                "gradwire",
                                workloads,
                                () -> rpc.runSync(peer, PeerFunctions::settle)));
            }
            startOthers(options, folder, subjects);
            var results = new Comparison(options, subjects).run();
            new Report(subjects.stream().map(Subject::name).toList(), results)
                    .print(options, note());
            return results;
        } finally {
            subjects.forEach(Subject::close);
            TemporaryDirectories.delete(folder);
        }
    }

    /** {@return the note below the table} */
    private static String note() {
        String set =
                System.getenv().entrySet().stream()
                        .filter(variable -> variable.getKey().startsWith("OPENBLAS_"))
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .sorted()
                        .collect(Collectors.joining(", "));
        return set.isEmpty()
                ? NOTE
                : NOTE
                        + System.lineSeparator()
                        + "OpenBLAS, Gradwire's and PyTorch's, follows the environment instead of detecting the processor: "
                        + set;
    }

    /** Start all systems before waiting for the first, since a start takes seconds. */
    private static void startOthers(Options options, Path folder, List<Subject> subjects)
            throws IOException {
        Optional<ChildSubject> pytorch =
                options.wants("pytorch")
                        ? PyTorch.start(options.python(), folder)
                        : Optional.empty();
        pytorch.ifPresent(subjects::add);
        if (options.wants("pytorch") && pytorch.isEmpty()) {
            System.out.println(PyTorch.HINT);
        }
        if (options.wants("grpc")) {
            List<String> command = new ArrayList<>(Jvm.command(GrpcPeer.class));
            GrpcTls.ofWorkers(System.getenv()).ifPresent(tls -> command.addAll(tls.arguments()));
            subjects.add(
                    ChildSubject.onThisHost("grpc", true, command, "localhost:" + Ports.free()));
        }
        if (options.wants(MachineLimits.NAME)) {
            subjects.add(new MachineLimits());
        }
        for (Subject subject : subjects) {
            switch (subject) {
                case ChildSubject child -> child.awaitReady();
                case MachineLimits machineLimits -> machineLimits.awaitReady();
                default -> {}
            }
        }
    }
}
