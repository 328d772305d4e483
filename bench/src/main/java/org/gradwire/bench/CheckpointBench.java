package org.gradwire.bench;

import org.gradwire.bench.local.Perceptron;
import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Measures how long saves stop a training: a perceptron that saves its state every {@value #EVERY}
 * steps with {@link Checkpoint#saveAsync}, in turns with the same training without saves, and with
 * PyTorch's {@code torch.save}.
 */
final class CheckpointBench {
    static final int EVERY = 10;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WIDTH = 1024; // 1.9 million parameters of float32: 7.1 MiB
    private static final int ROUNDS = 5;
    private static final int STEPS = 40; // of a round
    private static final int WARMUP = 400; // steps
    private static final String PROGRAM = "pytorch_checkpoint.py";

    /**
     * A training, of which a round returns the nanoseconds of its steps and of the saves within
     * them.
     */
    private interface Training extends AutoCloseable {
        Round round(boolean saves) throws IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * Nanoseconds of each step, with its save, and of each save alone.
     *
     * @param stepsBusy processor time of the thread in each step
     * @param savesBusy processor time of the thread in each save
     */
    private record Round(long[] steps, long[] saves, long[] stepsBusy, long[] savesBusy) {}

    private CheckpointBench() {}

    /** Measure, and print a line for each system. */
    static void run(Options options) throws IOException {
        Path folder = Files.createTempDirectory("gradwire-checkpoint");
        try {
            if (options.wants(Report.OURS)) {
                measure(Report.OURS, new Ours(folder.resolve("gradwire")).warmedUp());
            }
            if (options.wants(PyTorch.NAME)) {
                Optional<String> python = PyTorch.python(options.python());
                if (python.isPresent()) {
                    measure(PyTorch.NAME, new Theirs(python.get(), folder));
                } else {
                    System.out.println(PyTorch.HINT);
                }
            }
            System.out.println("Wanted: at most 5 percent of a step, on average.");
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void measure(String name, Training training) throws IOException {
        List<Round> plain = new ArrayList<>();
        List<Round> saving = new ArrayList<>();
        try (training) {
            for (int round = 0; round < ROUNDS; round++) {
                plain.add(training.round(false));
                saving.add(training.round(true));
            }
        }
        long[] without = all(plain.stream().map(Round::steps));
        long[] with = all(saving.stream().map(Round::steps));
        long[] saves = all(saving.stream().map(Round::saves));
        long[] busy = all(saving.stream().map(Round::stepsBusy));
        long[] savesBusy = all(saving.stream().map(Round::savesBusy));
        System.out.printf(
                "checkpoint.pause %-9s %5.2f %% of a step (mean), %5.2f %% (median), %5.2f %% of its processor time (mean):"
                        + " %d saves of %.2f ms in %d steps;"
                        + " a step has %.2f ms without saves and %.2f ms with them (medians)%n",
                name,
                100.0 * sum(saves) / sum(with),
                100 * median(saves) / EVERY / median(without),
                100.0 * sum(savesBusy) / sum(busy),
                saves.length,
                millis(median(saves)),
                with.length,
                millis(median(without)),
                millis(median(with)));
    }

    private static long[] all(Stream<long[]> rounds) {
        return rounds.flatMapToLong(Arrays::stream).toArray();
    }

    private static double sum(long[] nanos) {
        return Arrays.stream(nanos).sum();
    }

    private static double median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double millis(double nanos) {
        return nanos / 1e6;
    }

    /** The training of Gradwire, in a group of one worker. */
    private static final class Ours implements Training {
        private final Rpc rpc;
        private final Checkpoint checkpoint;
        private final Perceptron perceptron = new Perceptron(new Random(1), WIDTH);
        private long step;

        Ours(Path directory) {
            rpc =
                    Rpc.init(
                            RpcOptions.builder()
                                    .rank(0)
                                    .worldSize(1)
                                    .backend("inproc")
                                    .rendezvous("inproc://bench-checkpoint")
                                    .build());
            checkpoint =
                    Checkpoint.builder(
                                    rpc,
                                    List.of(rpc.self().name()),
                                    CheckpointStorage.directory(directory))
                            .keepLast(2)
                            .build();
        }

        /** Train and save until both are compiled. */
        Ours warmedUp() throws IOException {
            for (int i = 0; i < WARMUP / STEPS; i++) {
                var _ = round(true);
            }
            return this;
        }

        @Override
        public Round round(boolean saves) throws IOException {
            int count = saves ? STEPS / EVERY : 0;
            var round =
                    new Round(new long[STEPS], new long[count], new long[STEPS], new long[count]);
            for (int i = 0; i < STEPS; i++) {
                long start = System.nanoTime();
                long busy = THREADS.getCurrentThreadCpuTime();
                perceptron.step();
                step++;
                if (saves && i % EVERY == EVERY - 1) {
                    save(round, i / EVERY);
                }
                round.steps[i] = System.nanoTime() - start;
                round.stepsBusy[i] = THREADS.getCurrentThreadCpuTime() - busy;
            }
            var _ = checkpoint.await();
            return round;
        }

        private void save(Round round, int number) throws IOException {
            long start = System.nanoTime();
            long busy = THREADS.getCurrentThreadCpuTime();
            Map<String, Stateful> states =
                    Map.of(
                            "model", Stateful.of(perceptron.net()),
                            "optimizer", Stateful.of(perceptron.optimizer()));
            var _ = checkpoint.saveAsync(step, states);
            round.saves[number] = System.nanoTime() - start;
            round.savesBusy[number] = THREADS.getCurrentThreadCpuTime() - busy;
        }

        @Override
        public void close() throws IOException {
            try (rpc) {
                checkpoint.close();
            }
        }
    }

    /** The training of PyTorch, in a process. */
    private static final class Theirs implements Training {
        private final Process process;
        private final BufferedReader lines;
        private final Writer commands;

        Theirs(String python, Path folder) throws IOException {
            process =
                    new ProcessBuilder(
                                    python,
                                    PyTorch.unpack(PROGRAM, folder).toString(),
                                    Integer.toString(WIDTH),
                                    Integer.toString(STEPS),
                                    Integer.toString(EVERY),
                                    folder.resolve("pytorch.pt").toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            lines = process.inputReader();
            commands = process.outputWriter();
        }

        @Override
        public Round round(boolean saves) throws IOException {
            commands.write(saves ? "saves\n" : "plain\n");
            commands.flush();
            return new Round(numbers(), numbers(), numbers(), numbers());
        }

        private long[] numbers() throws IOException {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException(PROGRAM + " has ended");
            }
            return line.isEmpty()
                    ? new long[0]
                    : Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        }

        @Override
        public void close() throws IOException {
            commands.close();
            process.destroy();
        }
    }
}
