package org.gradwire.bench;

import org.gradwire.bench.process.Ports;
import org.gradwire.bench.process.TemporaryDirectories;
import org.gradwire.bench.recovery.Recovery;
import org.gradwire.bench.recovery.RecoveryProgram;
import org.gradwire.rpc.Rpc;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the time from the {@code kill -9} of a worker to the first new step of all workers after
 * it, with the launcher and with torchrun, in turns. A step that was done before the kill, and is
 * repeated from a checkpoint, is not new.
 */
final class RecoveryBench {
    private static final int TURNS = 2;
    static final String STANDBY = "standby";
    private static final String TORCHRUN = "torchrun";
    private static final String OFTEN = "torchrun.often";
    private static final String NOTE =
            "x: how many times as long as standby. Times are from kill -9 of one worker to the first step"
                    + " of all workers after it: in recovery, whose step is an exchange, to any; in training,"
                    + " which continues from a checkpoint, to the first that had not been done before."
                    + " standby is gradwire with --standbys 1. torchrun looks every 5 s whether a worker has ended; torchrun.often, with"
                    + " --monitor_interval, every 0.1 s. gradwire left nothing: no process, no file of a run, no"
                    + " shared memory.";

    private final Options options;
    private final Path folder;
    private final long seed = System.nanoTime();
    private final Optional<String> python;

    private RecoveryBench(Options options, Path folder) {
        this.options = options;
        this.folder = folder;
        python = options.wants(PyTorch.NAME) ? PyTorch.python(options.python()) : Optional.empty();
    }

    /** Measure the numbers of workers in the options, and print the results. */
    static void run(Options options) throws IOException {
        Path folder = Files.createTempDirectory("gradwire-recovery");
        var bench = new RecoveryBench(options, folder);
        if (options.wants(PyTorch.NAME) && bench.python.isEmpty()) {
            System.out.println(PyTorch.HINT);
        }
        List<String> json = new ArrayList<>();
        System.out.printf(
                "%-14s %-17s %6s %10s %10s %10s %6s%n",
                "", "system", "kills", "median ms", "least ms", "most ms", "x");
        for (int workers : options.workers()) {
            for (RecoveryProgram program : RecoveryProgram.values()) {
                String name = program.label() + ".w" + workers;
                if (options.selects(name)) {
                    print(name, bench.measure(program, workers), json);
                }
            }
        }
        System.out.println();
        System.out.println(NOTE);
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json);
        }
        TemporaryDirectories.delete(folder);
    }

    /** {@return the times of each system} */
    private Map<String, List<Duration>> measure(RecoveryProgram program, int workers)
            throws IOException {
        var recovery = new Recovery(program, workers, folder, seed);
        Map<String, List<Duration>> times = new LinkedHashMap<>();
        int turns = options.isOneTurn() ? 1 : TURNS;
        for (int turn = 0; turn < turns; turn++) {
            int kills = (options.kills() * (turn + 1)) / turns - options.kills() * turn / turns;
            if (options.wants(Report.OURS)) {
                add(times, Report.OURS, ofGradwire(recovery, 0, kills));
            }
            if (options.wants(STANDBY)) {
                add(times, STANDBY, ofGradwire(recovery, 1, kills));
            }
            if (python.isPresent()) {
                add(times, TORCHRUN, ofTorchrun(recovery, "5", kills));
                add(times, OFTEN, ofTorchrun(recovery, "0.1", kills));
            }
        }
        return times;
    }

    private static List<Duration> ofGradwire(Recovery recovery, int standbys, int kills)
            throws IOException {
        return recovery.ofGradwire(launcher(), modules(), standbys, kills);
    }

    private List<Duration> ofTorchrun(Recovery recovery, String interval, int kills)
            throws IOException {
        Path supervisor = PyTorch.unpack("pytorch_elastic.py", folder);
        Path worker = PyTorch.unpack(recovery.program().python(), folder);
        List<String> command =
                List.of(
                        python.orElseThrow(),
                        supervisor.toString(),
                        worker.toString(),
                        interval,
                        Ports.free());
        return recovery.ofTorchrun(command, kills);
    }

    private static void add(Map<String, List<Duration>> times, String system, List<Duration> more) {
        times.computeIfAbsent(system, _ -> new ArrayList<>()).addAll(more);
    }

    private static void print(String name, Map<String, List<Duration>> times, List<String> json) {
        double ours = times.containsKey(STANDBY) ? median(times.get(STANDBY)) : Double.NaN;
        times.forEach((system, measured) -> {
            List<Double> sorted = sorted(measured);
            double median = median(measured);
            json.add(new Result(name + ".p50", median, "ms", true).json(system));
            json.add(new Result(name + ".max", sorted.getLast(), "ms", true).json(system));
            System.out.printf(
                    Locale.ROOT,
                    "%-14s %-17s %6d %10.0f %10.0f %10.0f %6s%n",
                    name,
                    system,
                    measured.size(),
                    median,
                    sorted.getFirst(),
                    sorted.getLast(),
                    system.equals(STANDBY) ? "" : "%.1f".formatted(median / ours));
        });
    }

    private static List<Double> sorted(List<Duration> times) {
        return times.stream().map(time -> time.toNanos() / 1e6).sorted().toList();
    }

    private static double median(List<Duration> times) {
        List<Double> sorted = sorted(times);
        return sorted.get(sorted.size() / 2);
    }

    /** {@return the command line of the launcher, as {@code ./gradwire} has it} */
    private static List<String> launcher() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-p",
                distribution().resolve("launcher").toString(),
                "-m",
                "org.gradwire.launcher/org.gradwire.launcher.Main");
    }

    private static Path modules() {
        return distribution().resolve("bench-lib");
    }

    /** {@return the folder whose folder {@code lib} has the modules of this worker} */
    private static Path distribution() {
        try {
            Path jar =
                    Path.of(Rpc.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return jar.resolve("../..").normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
