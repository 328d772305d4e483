package org.gradwire.bench.soak;

import org.gradwire.bench.growth.PeerState;
import org.gradwire.bench.process.ProcessState;
import org.gradwire.bench.process.ProcessorTime;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One of two workers that share a media driver with no others. The first works with the second for
 * a time, and prints a line after each tenth of it; both end when their input does.
 */
public final class SoakWorker {
    /** Begins a line that names a number that has grown too much. */
    public static final String BROKEN = "! ";

    /** The last line of the first worker. */
    public static final String END = "end";

    private static final int PARTS = 10;
    private static final double PER_MILLE = 0.999;

    private final Rpc rpc;
    private final Path directory;
    private final SoakTraffic traffic;

    private SoakWorker(Rpc rpc, Path directory) {
        this.rpc = rpc;
        this.directory = directory;
        traffic = new SoakTraffic(rpc, peer());
    }

    /**
     * Join the group.
     *
     * @param args directory of the driver, seconds, rank, rendezvous
     */
    public static void main(String[] args) throws Exception {
        int rank = Integer.parseInt(args[2]);
        RpcOptions options =
                RpcOptions.builder("worker" + rank)
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous(args[3])
                        .set("gradwire.tensorpipe.directory", args[0])
                        .build();
        try (Rpc rpc = Rpc.init(options)) {
            if (rank == 0) {
                new SoakWorker(rpc, Path.of(args[0]))
                        .run(Duration.ofSeconds(Integer.parseInt(args[1])));
            }
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private String peer() {
        return rpc.worker(1).name();
    }

    private void run(Duration time) throws Exception {
        traffic.fillMemories();
        System.out.println(SoakSample.heading());
        List<SoakSample> samples = new ArrayList<>();
        for (int part = 1; part <= PARTS; part++) {
            LatencyHistogram times =
                    traffic.run(System.nanoTime() + time.dividedBy(PARTS).toNanos());
            SoakSample sample = sample(times);
            samples.add(sample);
            System.out.println(sample.text(part));
        }
        SoakBound.broken(samples.get(1), samples.getLast())
                .forEach(line -> System.out.println(BROKEN + line));
        System.out.println(END);
    }

    private SoakSample sample(LatencyHistogram times) throws Exception {
        long heap = PeerState.liveBytes() + rpc.rpcSync(peer(), PeerState::liveBytes);
        long memory = 0;
        long files = 0;
        long threads = 0;
        for (ProcessHandle process : ProcessorTime.named(directory.toString())) {
            ProcessState state = ProcessState.of(process);
            memory += state.shareBytes();
            files += state.files();
            threads += state.threads();
        }
        return new SoakSample(
                times.total(),
                heap,
                memory,
                files,
                threads,
                sizeOf(directory),
                times.percentile(PER_MILLE));
    }

    /** {@return the bytes of files, without the lock, whose length is that of no memory} */
    private static long sizeOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            long bytes = 0;
            for (Path file : files.filter(SoakWorker::takesMemory).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }

    private static boolean takesMemory(Path file) {
        return Files.isRegularFile(file) && !file.endsWith("lock");
    }
}
