package org.gradwire.bench;

import org.gradwire.bench.paced.PacedRun;
import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.Ports;
import org.gradwire.bench.process.ProcessorTime;
import org.gradwire.bench.process.TemporaryDirectories;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@code ./gradwire bench --paced}: the processor time of 10,000 calls a second, of all processes
 * of Gradwire, PyTorch and gRPC, in turns.
 */
final class PacedBench {
    private static final String GRPC = "grpc";

    /** A system, and the processes whose time counts. */
    private record Entrant(ChildSubject subject, Supplier<List<ProcessHandle>> processes) {

        PacedRun run(Metric metric, Duration time) throws IOException {
            List<ProcessHandle> counted = processes.get();
            Duration before = ProcessorTime.of(counted);
            long begin = System.nanoTime();
            Timing timing = subject.measure(metric, time);
            Duration wall = Duration.ofNanos(System.nanoTime() - begin);
            return PacedRun.of(
                    time,
                    wall,
                    ProcessorTime.of(counted).minus(before),
                    timing.medianNanos(),
                    timing.tailNanos());
        }
    }

    private PacedBench() {}

    /** Measure, and print the results. */
    static void run(Options options) throws IOException {
        Path folder = Files.createTempDirectory("gradwire-paced");
        List<Entrant> entrants = new ArrayList<>();
        try {
            start(options, folder, entrants);
            for (Entrant entrant : entrants) {
                entrant.subject().awaitReady();
            }
            new PacedReport(measure(options, entrants)).print(options);
        } finally {
            entrants.forEach(entrant -> entrant.subject().close());
            TemporaryDirectories.delete(folder);
        }
    }

    private static void start(Options options, Path folder, List<Entrant> entrants)
            throws IOException {
        if (options.wants(Report.OURS)) {
            entrants.add(gradwire());
        }
        if (options.wants(PyTorch.NAME)) {
            Optional<ChildSubject> pytorch = PyTorch.start(options.python(), folder);
            pytorch.ifPresent(subject -> entrants.add(new Entrant(subject, subject::processes)));
            if (pytorch.isEmpty()) {
                System.out.println(PyTorch.HINT);
            }
        }
        if (options.wants(GRPC)) {
            ChildSubject grpc =
                    ChildSubject.onThisHost(
                            GRPC, true, Jvm.command(GrpcPeer.class), "localhost:" + Ports.free());
            entrants.add(new Entrant(grpc, grpc::processes));
        }
    }

    private static Entrant gradwire() throws IOException {
        String name = "gradwire-paced-%d".formatted(ProcessHandle.current().pid());
        List<String> program =
                Stream.concat(
                                Jvm.command(NetworkPeer.class).stream(),
                                Stream.of("gradwire.tensorpipe.directory=/dev/shm/" + name))
                        .toList();
        return new Entrant(
                ChildSubject.onThisHost(Report.OURS, false, program, "localhost:" + Ports.free()),
                () -> ProcessorTime.named(name));
    }

    private static Map<Metric, Map<String, List<PacedRun>>> measure(
            Options options, List<Entrant> entrants) throws IOException {
        Map<Metric, Map<String, List<PacedRun>>> runs = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (options.wants(metric)) {
                runs.put(metric, measure(options, entrants, metric));
            }
        }
        return runs;
    }

    private static Map<String, List<PacedRun>> measure(
            Options options, List<Entrant> entrants, Metric metric) throws IOException {
        Duration time = options.pacedRound();
        for (Entrant entrant : entrants) {
            entrant.run(metric, time.multipliedBy(2)); // compiles
        }
        Map<String, List<PacedRun>> runs = new LinkedHashMap<>();
        for (int turn = 0; turn < options.turns(); turn++) {
            for (Entrant entrant : entrants) {
                runs.computeIfAbsent(entrant.subject().name(), _ -> new ArrayList<>())
                        .add(entrant.run(metric, time));
            }
        }
        return runs;
    }
}
