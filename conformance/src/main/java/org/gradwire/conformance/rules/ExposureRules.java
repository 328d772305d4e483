package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.await;
import static org.gradwire.conformance.rules.Checks.bytes;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.ResourceCounts;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules about the memory, threads and connections that others can make a worker hold. */
final class ExposureRules {
    private static final int BUFFERS = 64;
    private static final long BUFFER_BYTES = 1 << 20;
    private static final int STRANGERS = 200;
    private static final int MOST_FOR_STRANGERS = STRANGERS / 2;
    private static final int MOST_RUBBISH = 1_000;
    private static final int CALLS = 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "TRUST-5",
                            "MUST allocate memory for a buffer only after everything before it in its message has arrived.",
                            "memory for a whole message that is allocated when it is announced",
                            ExposureRules::takesMemoryAsBytesArrive),
                    Rule.of(
                            "TRUST-6",
                            "MUST free the received parts of a message when its sender is lost.",
                            "a table of incomplete messages that is not cleared for a lost peer",
                            ExposureRules::letsGoOfUnfinishedMessages),
                    Rule.of(
                                    "TRUST-7",
                                    "MUST serve its peers while unauthenticated clients hold 200 connections to its ports, with fewer than 100 additional threads and descriptors, and free these when the clients have disconnected.",
                                    "a thread for each connection, a handshake without a deadline, a socket that is not closed after a failed handshake",
                                    ExposureRules::bearsStrangers)
                            .where("ports", capabilities -> !capabilities.portKeys().isEmpty()));

    private ExposureRules() {}

    private static void takesMemoryAsBytesArrive(
            BackendProvider provider, BackendUnderTest backend) {
        var memory = new CutOffMemory();
        try (var world = new AgentWorld(provider, backend)) {
            long sent = sendAndDie(world, memory);
            world.agent(1).agent().close(); // so that no more memory is allocated
            long taken = memory.takenBytes();
            // A message that arrived completely may have been dropped with its sender.
            boolean hasArrived = world.agent(1).requests() > 0 || memory.isWhole();
            long limit = hasArrived ? sent : sent / 4 * 3;
            check(
                    taken <= limit,
                    "%d bytes of memory were allocated for a message of %d bytes %s",
                    taken,
                    sent,
                    hasArrived ? "" : "whose sender died when half of it had arrived");
        }
    }

    private static void letsGoOfUnfinishedMessages(
            BackendProvider provider, BackendUnderTest backend) {
        var memory = new CutOffMemory();
        try (var world = new AgentWorld(provider, backend)) {
            long sent = sendAndDie(world, memory);
            check(
                    eventually(world, () -> memory.heldBytes() <= sent / 8),
                    "%d bytes of a message of %d bytes are still held after the loss of its sender",
                    memory.heldBytes(),
                    sent);
        }
    }

    /** Close worker 0 after half of its message has arrived; {@return the bytes of the message} */
    private static long sendAndDie(AgentWorld world, CutOffMemory memory) {
        world.add(0);
        world.allocateBy(memory);
        world.add(1);
        world.connectAll();
        long size = Math.min(BUFFER_BYTES, world.backend().maxMessageBytes() / BUFFERS - 1);
        var buffers = new MemorySegment[BUFFERS];
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = MemorySegment.ofArray(new byte[(int) size]).fill((byte) 1);
        }
        TestAgent sender = world.agent(0);
        var outcome = new Outcome();
        // A backend that copies in send allocates on the sender's thread.
        Thread sending =
                Thread.ofPlatform()
                        .daemon()
                        .name("sending")
                        .start(() ->
                                sender.agent().send(1, request(new byte[1], buffers), 0, outcome));
        check(await(world, memory.begun), "no memory was allocated for a message");
        sender.agent().close();
        memory.isCutOff.countDown();
        check(join(sending, world.patienceMillis()), "a thread was stuck in send");
        check(outcome.await(world.patienceMillis()), "a request never ended");
        check(
                eventually(world, () -> world.agent(1).lostPeers().contains(0)),
                "the loss of the sender was not reported");
        return BUFFERS * size;
    }

    /** An allocator that provides half of the memory only after the sender is lost. */
    private static final class CutOffMemory implements BufferAllocator {
        private final AtomicInteger pieces = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch isCutOff = new CountDownLatch(1);
        private final List<Piece> given = new ArrayList<>();
        private long takenBytes; // guarded by this, as are the list and the last one
        private MemorySegment last = MemorySegment.NULL;

        private record Piece(WeakReference<Object> memory, long bytes) {}

        @Override
        public MemorySegment allocate(ElementKind kind, long bytes) {
            if (pieces.incrementAndGet() == BUFFERS / 2) {
                begun.countDown();
                awaitCutOff();
            }
            MemorySegment segment = BufferAllocator.plain().allocate(kind, bytes);
            synchronized (this) {
                takenBytes += bytes;
                var memory = new WeakReference<>(segment.heapBase().orElse(segment));
                given.add(new Piece(memory, bytes));
                last = segment;
            }
            return segment;
        }

        /** Wait with a limit, since the close of an agent may wait for a send that comes here. */
        private void awaitCutOff() {
            try {
                var _ = isCutOff.await(SLACK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized long takenBytes() {
            return takenBytes;
        }

        /** {@return whether all buffers of the message have arrived} */
        synchronized boolean isWhole() {
            return given.size() == BUFFERS
                    && last.get(ValueLayout.JAVA_BYTE, last.byteSize() - 1) != 0;
        }

        /** {@return the bytes of memory still reachable after a garbage collection} */
        synchronized long heldBytes() {
            System.gc();
            long held = 0;
            for (Piece piece : given) {
                // get() would keep the memory alive during a concurrent collection.
                held += piece.memory.refersTo(null) ? 0 : piece.bytes;
            }
            return held;
        }
    }

    private static void bearsStrangers(BackendProvider provider, BackendUnderTest backend) {
        var threads = new OwnThreads("TRUST-7");
        threads.run(
                10 * backend.patience().toMillis(),
                () -> {
                    try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
                        bearStrangers(world, threads);
                    }
                });
    }

    private static void bearStrangers(AgentWorld world, OwnThreads threads) {
        List<Integer> ports = ports(world);
        Assumptions.assumeFalse(ports.isEmpty(), "the backend opens no ports here");
        checkAnswered(world, 1, 0, "before unauthenticated clients connected");
        int threadsBefore = threads.alive().size();
        OptionalLong descriptorsBefore = ResourceCounts.descriptors();
        List<Socket> strangers = knock(ports);
        try {
            for (int i = 0; i < CALLS; i++) {
                checkAnswered(
                        world, i % 2, 1 - i % 2, "while unauthenticated clients hold connections");
            }
            int more = threads.alive().size() - threadsBefore;
            check(
                    more < MOST_FOR_STRANGERS,
                    "%d unauthenticated clients made the agents start %d threads",
                    STRANGERS,
                    more);
        } finally {
            strangers.forEach(ExposureRules::close);
        }
        check(
                eventually(world, () -> threads.alive().size() <= threadsBefore + 2),
                "%d threads run after the unauthenticated clients disconnected, %d ran before",
                threads.alive().size(),
                threadsBefore);
        descriptorsBefore.ifPresent(before -> checkDescriptorsSince(world, before));
        checkAnswered(world, 1, 0, "after unauthenticated clients connected");
    }

    private static void checkDescriptorsSince(AgentWorld world, long before) {
        check(
                eventually(
                        world,
                        () ->
                                ResourceCounts.descriptors().orElse(before)
                                        < before + MOST_FOR_STRANGERS),
                "%s descriptors are open after the unauthenticated clients disconnected, %d were before",
                ResourceCounts.descriptors(),
                before);
    }

    private static List<Integer> ports(AgentWorld world) {
        var metrics = world.agent(0).agent().debugInfo();
        return world.backend().capabilities().portKeys().stream()
                .map(key -> metrics.getOrDefault(key, ""))
                .filter(port -> !port.isEmpty() && !port.equals("0"))
                .map(Integer::valueOf)
                .toList();
    }

    /**
     * Open connections of which half send nothing and half random bytes; a rejected one is not an
     * error.
     */
    private static List<Socket> knock(List<Integer> ports) {
        var random = new Random(Seed.get());
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++) {
            try {
                var stranger =
                        new Socket(InetAddress.getLoopbackAddress(), ports.get(i % ports.size()));
                strangers.add(stranger);
                if (i % 4 > 1) {
                    stranger.getOutputStream().write(bytes(random, random.nextInt(MOST_RUBBISH)));
                }
            } catch (IOException _) {
                // the agent rejected the connection
            }
        }
        return strangers;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // the agent closed the connection
        }
    }
}
