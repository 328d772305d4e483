package org.gradwire.bench;

import org.gradwire.bench.memory.IdleMemory;
import org.gradwire.bench.memory.TrainingMemory;
import org.gradwire.bench.process.ProcessState;
import org.gradwire.bench.process.ProcessorTime;
import org.gradwire.bench.process.TemporaryDirectories;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * {@code ./gradwire bench --memory}: the memory of idle workers after some calls, with Gradwire,
 * PyTorch and gRPC in turns, and that of a training step.
 */
final class MemoryBench {
    private static final double MIB = 1 << 20;
    private static final String NOTE =
            " s after 3,000 calls and, not with grpc, 100 distributed backward passes: shares of the memory (PSS) of idle"
                    + " processes, medians of fresh pairs. A library that several processes load counts in parts, so that other"
                    + " processes of this machine change the numbers. pair: two workers, and gradwire's media driver. x: how"
                    + " many times better gradwire is, above 1. Required of a worker of gradwire: at most 60 MiB. Pairs: ";

    /** A row of the table. */
    private record Row(String label, ToLongFunction<IdleMemory> bytes) {}

    private static final List<Row> ROWS =
            List.of(
                    new Row("memory.idle.worker", IdleMemory::workerBytes),
                    new Row("memory.idle.driver", IdleMemory::driverBytes),
                    new Row("memory.idle.pair", IdleMemory::pairBytes));

    private final Map<String, List<IdleMemory>> pairs;

    /** Create a report of the pairs of each system. */
    MemoryBench(Map<String, List<IdleMemory>> pairs) {
        this.pairs = pairs;
    }

    /** Measure, and print the results. */
    static void run(Options options) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("gradwire-memory");
        try {
            if (options.selects("memory.idle")) {
                new MemoryBench(idle(options, folder)).print(options);
            }
            if (options.selects("memory.mlpstep")
                    && options.wants(Report.OURS)
                    && options.wants(PyTorch.NAME)) {
                printTraining(options, folder);
            }
        } finally {
            TemporaryDirectories.delete(folder);
        }
    }

    private static void printTraining(Options options, Path folder)
            throws IOException, InterruptedException {
        Optional<String> python = PyTorch.python(options.python());
        if (python.isEmpty()) {
            System.out.println(PyTorch.HINT);
            return;
        }
        Path program = PyTorch.unpack("pytorch_memory.py", folder);
        System.out.println(TrainingMemory.measure(python.get(), program).line());
    }

    private static Map<String, List<IdleMemory>> idle(Options options, Path folder)
            throws IOException {
        Map<String, List<IdleMemory>> pairs = new LinkedHashMap<>();
        List<ColdSystems.Pair> systems = ColdSystems.wanted(options, folder);
        for (int turn = 0; turn < options.turns(); turn++) {
            String directory = ColdSystems.directory(turn).toString();
            for (ColdSystems.Pair system : systems) {
                IdleMemory memory =
                        system.run(
                                turn,
                                (_, processes) -> {
                                    sleep(options.idleTime().toMillis());
                                    return memory(processes, directory);
                                });
                pairs.computeIfAbsent(system.name(), _ -> new ArrayList<>()).add(memory);
            }
        }
        return pairs;
    }

    private static void sleep(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(e.getMessage());
        }
    }

    private static IdleMemory memory(List<ProcessHandle> processes, String directory)
            throws IOException {
        List<ProcessHandle> drivers = new ArrayList<>(ProcessorTime.named(directory));
        drivers.removeAll(processes);
        return new IdleMemory(bytes(processes) / processes.size(), bytes(drivers));
    }

    private static long bytes(List<ProcessHandle> processes) throws IOException {
        long bytes = 0;
        for (ProcessHandle process : processes) {
            bytes += ProcessState.of(process).shareBytes();
        }
        return bytes;
    }

    private void print(Options options) throws IOException {
        Report.lines(rows(), options.isMarkdown()).forEach(System.out::println);
        System.out.println();
        System.out.println(options.idleTime().toSeconds() + NOTE + options.turns());
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json());
        }
    }

    /** {@return the rows of the table, the first with the names of the systems} */
    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("", "unit"));
        pairs.keySet().forEach(name -> heading.addAll(cells(name, name, "x")));
        rows.add(heading);
        for (Row row : ROWS) {
            List<String> cells = new ArrayList<>(List.of(row.label(), "MiB"));
            pairs.keySet().forEach(name -> cells.addAll(cells(row, name)));
            rows.add(cells);
        }
        return rows;
    }

    private static List<String> cells(String system, String text, String ratio) {
        return system.equals(Report.OURS) ? List.of(text) : List.of(text, ratio);
    }

    private List<String> cells(Row row, String system) {
        Result result = result(row, system);
        if (result.value() == 0) {
            return cells(system, "", "");
        }
        boolean isCompared = pairs.containsKey(Report.OURS);
        String ratio =
                isCompared
                        ? String.format(
                                Locale.ROOT,
                                "%.2f",
                                result(row, Report.OURS).timesBetterThan(result))
                        : "";
        return cells(system, result.text(), ratio);
    }

    private Result result(Row row, String system) {
        double bytes = IdleMemory.median(pairs.getOrDefault(system, List.of()), row.bytes());
        return new Result(row.label(), bytes / MIB, "MiB", true);
    }

    /** {@return a line for each number of each system} */
    List<String> json() {
        List<String> lines = new ArrayList<>();
        for (Row row : ROWS) {
            pairs.keySet().forEach(system -> lines.add(result(row, system).json(system)));
        }
        return lines;
    }
}
