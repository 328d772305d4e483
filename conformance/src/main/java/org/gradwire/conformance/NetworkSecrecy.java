package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ProcessWorld;
import org.gradwire.conformance.harness.ProcessWorld.Member;
import org.gradwire.conformance.network.LinkFaults;
import org.gradwire.conformance.network.Network;
import org.gradwire.conformance.processes.SecretWorker;
import org.gradwire.conformance.processes.Secrets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Tests that a host between two workers reads nothing of their calls: all frames between two hosts
 * are recorded from the start of the workers to their end, and none may contain the name of a
 * function, a text or the elements of a tensor.
 *
 * <p>The same recording without encryption must contain each of them, or the test would prove
 * nothing. The hosts are Linux namespaces, as in {@link NetworkFaults}; without the permission to
 * create them the tests are skipped and print why.
 */
@Tag("secrecy")
public abstract class NetworkSecrecy extends CaseSuite {
    /** System property with the seed of the secrets. */
    public static final String SEED = "conformance.secrecy-seed";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LEAST_BYTES = 4 << 20; // a large tensor there and back, for each

    private final long seed = Long.getLong(SEED, System.nanoTime());

    @TempDir private Path directory;

    /** For subclasses. */
    protected NetworkSecrecy() {}

    /** {@return the backend with encryption between hosts} */
    @Override
    protected abstract BackendUnderTest backend();

    /** {@return the backend without encryption} */
    protected abstract BackendUnderTest plainBackend();

    @BeforeAll
    static void requireNetworks() {
        NetworkFaults.requireNetworks();
    }

    @Test
    void aHostBetweenTheWorkersReadsNothing() throws IOException {
        assertEquals(Set.of(), readable(backend()), seedText());
    }

    @Test
    void withoutEncryptionItReadsEverything() throws IOException {
        assertEquals(new Secrets(seed).markers().keySet(), readable(plainBackend()), seedText());
    }

    private String seedText() {
        return "-D%s=%d".formatted(SEED, seed);
    }

    /** {@return the kinds of secrets that a frame contains} */
    private Set<String> readable(BackendUnderTest backend) throws IOException {
        IO.println(seedText());
        var noFaults = new LinkFaults(0, Duration.ZERO, Duration.ZERO, seed);
        try (var network = Network.start(noFaults)) {
            List<byte[]> frames =
                    network.record(directory.resolve("frames"), () -> exchange(backend, network));
            long bytes = frames.stream().mapToLong(frame -> frame.length).sum();
            assertTrue(bytes > LEAST_BYTES, bytes + " bytes in " + frames.size() + " frames");
            return found(frames);
        }
    }

    private void exchange(BackendUnderTest backend, Network network) {
        try (var world =
                ProcessWorld.start(
                        backend, List.of(network.left(), network.right()), SecretWorker.class)) {
            List<Member> members = world.members();
            assertEquals(
                    List.of("equal=true", "equal=true"),
                    ProcessWorld.ask(members, "exchange " + seed, PATIENCE));
            assertEquals(List.of("done", "done"), ProcessWorld.ask(members, "leave", PATIENCE));
            members.forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    private Set<String> found(List<byte[]> frames) {
        Set<String> found = new TreeSet<>();
        new Secrets(seed)
                .markers()
                .forEach((kind, marker) -> {
                    if (frames.stream().anyMatch(frame -> contains(frame, marker))) {
                        found.add(kind);
                    }
                });
        return found;
    }

    private static boolean contains(byte[] frame, byte[] marker) {
        return IntStream.rangeClosed(0, frame.length - marker.length)
                .anyMatch(
                        i -> Arrays.equals(frame, i, i + marker.length, marker, 0, marker.length));
    }
}
