package org.gradwire.bench;

import org.gradwire.bench.cold.ColdRun;
import org.gradwire.bench.cold.ColdSequence;
import org.gradwire.bench.cold.ColdWorker;
import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.Ports;
import org.gradwire.rpc.Rpc;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The systems of {@link ColdBench}, each of which starts a fresh pair of processes for a run. */
final class ColdSystems {
    private static final String GRPC = "grpc";
    private static final String PROGRAM = "pytorch_cold.py";

    /**
     * A system.
     *
     * @param name in the report
     * @param hasPasses whether it measures distributed backward passes
     */
    record Pair(String name, boolean hasPasses, Start start) {

        /** Start the processes, and read what the first measures. */
        ColdRun run(int turn) throws IOException {
            return run(turn, (run, _) -> run);
        }

        /** As {@link #run(int)}, and use the processes, which are idle then. */
        <T> T run(int turn, Use<T> use) throws IOException {
            long begin = System.nanoTime();
            try (ChildSubject processes = start.start(turn)) {
                String first = processes.answer();
                long startNanos = System.nanoTime() - begin;
                long[] calls = numbers(first + " " + processes.answer());
                long[] passes =
                        hasPasses
                                ? numbers(processes.answer() + " " + processes.answer())
                                : new long[0];
                return use.apply(new ColdRun(startNanos, calls, passes), processes.processes());
            }
        }

        private static long[] numbers(String line) {
            return Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        }
    }

    /** Uses what the first process has measured, and both processes. */
    interface Use<T> {
        T apply(ColdRun run, List<ProcessHandle> processes) throws IOException;
    }

    /** Starts two processes. */
    private interface Start {
        ChildSubject start(int turn) throws IOException;
    }

    private ColdSystems() {}

    /** {@return the systems that the options want and this machine has} */
    static List<Pair> wanted(Options options, Path folder) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        if (options.wants(Report.OURS)) {
            pairs.add(new Pair(Report.OURS, true, turn -> gradwire(folder, turn)));
        }
        if (options.wants(PyTorch.NAME)) {
            Optional<String> python = PyTorch.python(options.python());
            if (python.isPresent()) {
                Path program = PyTorch.unpack(PROGRAM, folder);
                pairs.add(new Pair(PyTorch.NAME, true, _ -> pytorch(python.get(), program)));
            } else {
                System.out.println(PyTorch.HINT);
            }
        }
        if (options.wants(GRPC)) {
            pairs.add(new Pair(GRPC, false, _ -> grpc()));
        }
        return pairs;
    }

    /**
     * Start workers with the flags of this one, which are those of {@code ./gradwire run}.
     *
     * @param turn distinguishes the groups, since a driver briefly outlives its last worker
     */
    private static ChildSubject gradwire(Path folder, int turn) throws IOException {
        List<String> command = new ArrayList<>(Jvm.command(ColdWorker.class));
        command.add(directory(turn).toString());
        Path meeting = folder.resolve("meeting-" + turn);
        return ChildSubject.onThisHost(Report.OURS, false, command, meeting.toUri().toString());
    }

    /** {@return the directory of the media driver of Gradwire's workers} */
    static Path directory(int turn) {
        String name = "gradwire-cold-%d-%d".formatted(ProcessHandle.current().pid(), turn);
        return Path.of("/dev/shm", name);
    }

    private static ChildSubject pytorch(String python, Path program) throws IOException {
        List<String> command =
                List.of(
                        python,
                        program.toString(),
                        Integer.toString(ColdSequence.CALLS),
                        Integer.toString(ColdSequence.PASSES));
        return ChildSubject.onThisHost(PyTorch.NAME, false, command, Ports.free());
    }

    /** Start gRPC as its own users do: on the class path, with the JVM's defaults. */
    private static ChildSubject grpc() throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                jars(GrpcColdPeer.class) + "/*",
                                jars(Rpc.class) + "/*"),
                        GrpcColdPeer.class.getName());
        return ChildSubject.onThisHost(GRPC, false, command, "localhost:" + Ports.free());
    }

    /** {@return the folder with the jar of a class} */
    private static Path jars(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .resolveSibling("");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
