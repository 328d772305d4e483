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
 * Writes frames with errors in them into the victim's log: frames that a well-behaved worker wrote
 * before, on the attacker's own session with the victim, and on sessions that have proven nothing.
 */
final class HostileFrames implements Attacker {
    private static final int MOST_JOINS = 20;
    private static final int MOST_FRAMES = 2_000;
    private static final int LARGEST = 4_096;
    private static final int LARGE = 512;
    private static final int INPUTS_OF_A_SESSION = 500;
    private static final long TIME_TO_CONNECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) throws Exception {
        var context = new Aeron.Context().aeronDirectoryName(driver(target.directory()).toString());
        for (int turn = 0; turn < MOST_JOINS && !tally.isOver(); turn++) {
            try (Aeron aeron = Aeron.connect(context.clone());
                    Member member = Member.join(target.rank() + turn)) {
                tally.connected();
                attack(aeron, member, random, tally);
            }
        }
    }

    /** {@return where below a directory the media driver has its files} */
    private static Path driver(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith("cnc.dat"))
                    .map(file -> file.resolveSibling(""))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no media driver in " + directory));
        }
    }

    private static void attack(Aeron aeron, Member member, RandomGenerator random, Tally tally)
            throws IllegalAccessException {
        List<ExclusivePublication> own = OwnPublications.of(member.agent().inner());
        if (own.isEmpty()) {
            throw new IllegalStateException("no publication of the own agent was found");
        }
        List<byte[]> frames = record(aeron, own, member);
        var mutations = new Mutations(random);
        int sent = 0;
        while (!tally.isOver() && !member.isExpelled() && sent++ < INPUTS_OF_A_SESSION) {
            byte[] frame = mutations.of(frames.get(random.nextInt(frames.size())));
            offer(own.get(random.nextInt(own.size())), frame, tally);
        }
        try (ExclusivePublication fresh =
                aeron.addExclusivePublication("aeron:ipc", own.getFirst().streamId())) {
            for (int i = 0; i < INPUTS_OF_A_SESSION && !tally.isOver(); i++) {
                offer(fresh, mutations.of(frames.get(random.nextInt(frames.size()))), tally);
            }
        }
    }

    /** {@return frames that the own agent writes to others while it says something of each kind} */
    private static List<byte[]> record(Aeron aeron, List<ExclusivePublication> own, Member member) {
        List<byte[]> frames = new ArrayList<>();
        List<Subscription> taps = new ArrayList<>();
        for (ExclusivePublication publication : own) {
            taps.add(aeron.addSubscription("aeron:ipc", publication.streamId()));
        }
        var talking =
                Thread.ofPlatform()
                        .start(() -> {
                            var _ = member.soundRequests();
                            Tensor large = Tensor.ones(LARGE, LARGE); // which goes in parts
                            var _ =
                                    member.rpc()
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

    private static void offer(ExclusivePublication publication, byte[] frame, Tally tally) {
        tally.sent();
        if (frame.length > publication.maxPayloadLength()) {
            tally.refused();
            return;
        }
        long end = System.nanoTime() + TIME_TO_CONNECT_NANOS;
        while (publication.offer(new UnsafeBuffer(frame)) < 0) {
            if (publication.isClosed() || System.nanoTime() - end > 0) {
                tally.refused();
                return;
            }
            Thread.onSpinWait();
        }
    }
}
