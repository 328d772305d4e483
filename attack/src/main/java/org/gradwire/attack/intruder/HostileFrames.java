package org.gradwire.attack.intruder;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.attack.victim.VictimFunctions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Writes mutated frames to the victim: recorded frames of a valid worker, on the attacker's
 * authenticated session, and on unauthenticated sessions.
 */
final class HostileFrames implements Attacker {
    private static final int MOST_JOINS = 20;
    private static final int MOST_FRAMES = 2_000;
    private static final int LARGEST = 4_096;
    private static final int LARGE = 512;
    private static final int INPUTS_OF_A_SESSION = 500;
    private static final long TIME_TO_CONNECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws Exception {
        var context = new Aeron.Context().aeronDirectoryName(driver(target.directory()).toString());
        for (int turn = 0; turn < MOST_JOINS && !inputCounter.isOver(); turn++) {
            try (Aeron aeron = Aeron.connect(context.clone());
                    HostileMember hostileMember = HostileMember.join(target.rank() + turn)) {
                inputCounter.connected();
                attack(aeron, hostileMember, random, inputCounter);
            }
        }
    }

    /** {@return the media driver's folder below a directory} */
    private static Path driver(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith("cnc.dat"))
                    .map(file -> file.resolveSibling(""))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no media driver in " + directory));
        }
    }

    private static void attack(
            Aeron aeron,
            HostileMember hostileMember,
            RandomGenerator random,
            InputCounter inputCounter)
            throws IllegalAccessException {
        List<ExclusivePublication> own = OwnPublications.of(hostileMember.agent().inner());
        if (own.isEmpty()) {
            throw new IllegalStateException("no publication of this process's agent was found");
        }
        List<byte[]> frames = record(aeron, own, hostileMember);
        var mutations = new Mutations(random);
        int sent = 0;
        while (!inputCounter.isOver()
                && !hostileMember.isExpelled()
                && sent++ < INPUTS_OF_A_SESSION) {
            byte[] frame = mutations.of(frames.get(random.nextInt(frames.size())));
            offer(own.get(random.nextInt(own.size())), frame, inputCounter);
        }
        try (ExclusivePublication fresh =
                aeron.addExclusivePublication("aeron:ipc", own.getFirst().streamId())) {
            for (int i = 0; i < INPUTS_OF_A_SESSION && !inputCounter.isOver(); i++) {
                offer(fresh, mutations.of(frames.get(random.nextInt(frames.size()))), inputCounter);
            }
        }
    }

    /** {@return frames that this process's agent writes while it sends requests of each kind} */
    private static List<byte[]> record(
            Aeron aeron, List<ExclusivePublication> own, HostileMember hostileMember) {
        List<byte[]> frames = new ArrayList<>();
        List<Subscription> taps = new ArrayList<>();
        for (ExclusivePublication publication : own) {
            taps.add(aeron.addSubscription("aeron:ipc", publication.streamId()));
        }
        var talking =
                Thread.ofPlatform()
                        .start(() -> {
                            var _ = hostileMember.validRequests();
                            Tensor large = Tensor.ones(LARGE, LARGE); // sent in chunks
                            var _ =
                                    hostileMember
                                            .rpc()
                                            .rpcSync("victim", VictimFunctions::scale, large, 1.0);
                        });
        long end = System.nanoTime() + TIME_TO_CONNECT_NANOS;
        while (System.nanoTime() - end < 0 && (talking.isAlive() || frames.isEmpty())) {
            for (Subscription tap : taps) {
                tap.poll(
                        (buffer, offset, length, _) -> {
                            if (frames.size() < MOST_FRAMES && length <= LARGEST) {
                                byte[] frame = new byte[length];
                                buffer.getBytes(offset, frame);
                                frames.add(frame);
                            }
                        },
                        64);
            }
            Thread.onSpinWait();
        }
        taps.forEach(Subscription::close);
        if (frames.isEmpty()) {
            throw new IllegalStateException("no frame of a worker could be recorded");
        }
        return frames;
    }

    private static void offer(
            ExclusivePublication publication, byte[] frame, InputCounter inputCounter) {
        inputCounter.sent();
        if (frame.length > publication.maxPayloadLength()) {
            inputCounter.refused();
            return;
        }
        long end = System.nanoTime() + TIME_TO_CONNECT_NANOS;
        while (publication.offer(new UnsafeBuffer(frame)) < 0) {
            if (publication.isClosed() || System.nanoTime() - end > 0) {
                inputCounter.refused();
                return;
            }
            Thread.onSpinWait();
        }
    }
}
