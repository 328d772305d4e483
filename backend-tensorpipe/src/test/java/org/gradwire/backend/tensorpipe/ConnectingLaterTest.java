package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Calls.Way;
import org.gradwire.backend.tensorpipe.World.Lost;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Connections of workers that share a driver: of the first one with each other at once, of two
 * others with their first call.
 */
@NativeOnly("doorbells: a peer without one is connected at once")
class ConnectingLaterTest {
    private static final int ABSENT = 2;
    private static final byte[] SOME = {1, 2, 3};

    private static Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(Way.SHARED_MEMORY.settings());
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    @Test
    void twoAreConnectedWhenOneCallsTheOther() throws Exception {
        try (var world = new World(4, settings())) {
            assertEquals(
                    List.of(3L, 1L, 1L, 1L),
                    world.nodes.stream().map(node -> node.figure("peers.connected")).toList());
            world.nodes.forEach(node -> assertEquals(3, node.figure("peers")));
            Node caller = world.node(1);
            assertArrayEquals(SOME, get(caller.call(2, World.request(SOME))).payload());
            assertEquals(2, caller.figure("peers.connected"));
            assertEquals(2, world.node(2).figure("peers.connected"));
            assertEquals(1, world.node(3).figure("peers.connected"));
        }
    }

    @Test
    void allMayCallAllFirstAtTheSameTime() throws Exception {
        int size = 6;
        try (var world = new World(size, settings())) {
            List<CompletableFuture<Message>> calls = new ArrayList<>();
            for (Node node : world.nodes) {
                for (int to = 0; to < size; to++) {
                    byte[] payload = {(byte) node.info.id(), (byte) to};
                    calls.add(node.call(to, World.request(payload)));
                    calls.add(node.call(to, World.request(payload)));
                }
            }
            for (int i = 0; i < calls.size(); i++) {
                byte[] payload = {(byte) (i / 2 / size), (byte) (i / 2 % size)};
                assertArrayEquals(payload, get(calls.get(i)).payload());
            }
            world.nodes.forEach(node -> assertEquals(size - 1, node.figure("peers.connected")));
        }
    }

    @Test
    void messagesThatWaitForTheConnectionArriveWhole() throws Exception {
        try (var world = new World(3, settings("term-length", "64k"))) {
            List<byte[]> payloads =
                    IntStream.of(0, 1, 1000, 100_000, 1_000_000).mapToObj(byte[]::new).toList();
            payloads.forEach(payload -> Arrays.fill(payload, (byte) payload.length));
            List<CompletableFuture<Message>> calls =
                    payloads.stream()
                            .map(payload -> world.node(1).call(2, World.request(payload)))
                            .toList();
            for (int i = 0; i < calls.size(); i++) {
                assertArrayEquals(payloads.get(i), get(calls.get(i)).payload());
            }
        }
    }

    @Test
    void oneThatClosesIsLostToThoseItNeverMet() throws Exception {
        try (var world = new World(3, settings())) {
            world.node(2).agent.close();
            Lost lost = world.node(1).awaitLost();
            assertEquals(2, lost.peer());
            assertEquals(
                    "Connection closed by peer worker2 (id 2): it was closed", text(lost.reason()));
            var failure =
                    failure(
                            RpcConnectionException.class,
                            world.node(1).call(2, World.request(SOME)));
            assertEquals(text(lost.reason()), text(failure));
            assertEquals(1, world.node(1).figure("peers"));
            assertEquals(1, world.node(1).figure("peers.lost"));
        }
    }

    @Test
    void oneWhoseProcessEndsIsLostToThoseItNeverMet() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try (var group = new WithAbsentee(ProcessIdentity.ofLiving(process.pid()).orElseThrow())) {
            process.destroyForcibly().waitFor();
            Lost lost = group.node.awaitLost();
            assertEquals(ABSENT, lost.peer());
            assertEquals(
                    "Connection reset by peer worker2 (id 2): its process %d has ended"
                            .formatted(process.pid()),
                    text(lost.reason()));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void oneThatDoesNotAnswerIsGivenUpInTime() throws Exception {
        try (var group =
                new WithAbsentee(
                        ProcessIdentity.self(), "liveness", "200ms", "connect-timeout", "2s")) {
            var released = new CountDownLatch(1);
            var request = new Message(World.REQUEST, SOME, List.of(), released::countDown);
            CompletableFuture<Message> call = group.node.call(ABSENT, request);
            String why = text(failure(RpcConnectionException.class, call));
            assertTrue(
                    why.matches(
                            "Connection reset by peer worker2 \\(id 2\\): silent for [2-9]\\d{3} ms"),
                    why);
            assertTrue(released.await(10, TimeUnit.SECONDS), "the request is released");
            Lost lost = group.node.awaitLost();
            assertEquals(ABSENT, lost.peer());
            assertEquals(why, text(lost.reason()));
        }
    }

    @Test
    void aCallThatWaitsForTheConnectionEndsAtItsDeadline() throws Exception {
        try (var group = new WithAbsentee(ProcessIdentity.self())) {
            var released = new CountDownLatch(1);
            var request = new Message(World.REQUEST, SOME, List.of(), released::countDown);
            failure(RpcTimeoutException.class, group.node.call(ABSENT, request, 100));
            assertTrue(released.await(10, TimeUnit.SECONDS), "the request is released");
            assertEquals(2, group.node.figure("peers"), "it is not lost yet");
        }
    }

    @Test
    void whatWaitsForTheConnectionIsBounded() throws Exception {
        try (var group = new WithAbsentee(ProcessIdentity.self(), "send-queue-bytes", "100000")) {
            var first = group.node.call(ABSENT, World.request(new byte[90_000]));
            var second = group.node.call(ABSENT, World.request(new byte[20_000]));
            RpcException failure = failure(RpcException.class, second);
            assertEquals(RpcErrorKind.REFUSED, failure.kind());
            assertTrue(text(failure).contains("send-queue-bytes=100000"), text(failure));
            assertFalse(first.isDone());
        }
    }

    @Test
    void aLogThatCannotBeMadeIsAskedForAgain() throws Exception {
        try (var world = new World(3, settings())) {
            CompletableFuture<Message> call;
            try (var _ = new NoPlaceForLogs(world)) {
                call = world.node(1).call(2, World.request(SOME));
                while (world.node(1).figure("logs.refused") == 0) {
                    assertFalse(call.isDone());
                    LockSupport.parkNanos(100_000);
                }
            }
            assertArrayEquals(SOME, get(call).payload());
            assertEquals(2, world.node(1).figure("peers"));
        }
    }

    @Test
    void aLogThatCannotBeMadeInTimeEndsTheCallsThatWaitForIt() throws Exception {
        try (var world = new World(3, settings("connect-timeout", "3s"));
                var _ = new NoPlaceForLogs(world)) {
            assertCallEndsWithoutLog(world.node(1), ".*NoSuchFileException.*");
        }
    }

    @Test
    void aDriverThatDoesNotAnswerInTimeEndsTheCallsThatWaitForALog(@TempDir Path folder)
            throws Exception {
        Path path = folder.resolve("driver");
        var settings = settings("connect-timeout", "6s", "directory", path.toString());
        settings.remove("driver");
        CompletableFuture<ProcessHandle> end;
        try (var world = new World(3, settings)) {
            long driver = new DriverDirectory(path).liveDriver().orElseThrow().pid();
            end = ProcessHandle.of(driver).orElseThrow().onExit();
            Child.stop(driver);
            try {
                assertCallEndsWithoutLog(world.node(1), "none in 6000 ms");
            } finally {
                Child.signal("CONT", driver);
            }
        }
        end.get(30, TimeUnit.SECONDS); // until then it uses the folder, which is deleted
    }

    private static void assertCallEndsWithoutLog(Node caller, String why) throws Exception {
        int withoutEnd = 0;
        var call = caller.call(2, World.request(SOME), withoutEnd);
        String text = text(failure(RpcConnectionException.class, call));
        assertTrue(
                text.matches(
                        "(?s)the media driver cannot make a log to worker2 \\(id 2\\): " + why),
                text);
        Lost lost = caller.awaitLost();
        assertEquals(2, lost.peer());
        assertEquals(text, text(lost.reason()));
    }

    @Test
    void aThreadThatWasInterruptedMayBeTheOneThatMakesTheLog() throws Exception {
        try (var world = new World(3, settings())) {
            Node caller = world.node(1);
            var isStillInterrupted = new CompletableFuture<Boolean>();
            var reply = new CompletableFuture<CompletableFuture<Message>>();
            Thread.ofPlatform()
                    .start(() -> {
                        Thread.currentThread().interrupt();
                        var call = caller.call(2, World.request(SOME));
                        while (!call.isDone()) {
                            caller.agent.poll();
                        }
                        caller.agent.endPolling();
                        isStillInterrupted.complete(Thread.interrupted());
                        reply.complete(call);
                    });
            assertArrayEquals(SOME, get(reply.get(40, TimeUnit.SECONDS)).payload());
            assertTrue(isStillInterrupted.get(40, TimeUnit.SECONDS));
        }
    }

    @Test
    void theLossOfAnEarlierIncarnationIsToldBeforeTheNewOneMayBeCalled() throws Exception {
        try (var group = new WithAbsentee(ProcessIdentity.self())) {
            var early = group.node.call(ABSENT, World.request(SOME));
            try (Doorbell _ = group.appear(2)) {
                group.node.agent.connect(List.of(World.info(0), World.info(1), World.info(ABSENT)));
                var lost = group.node.lost.poll();
                assertTrue(lost != null, "reported before connect() returns");
                assertEquals(
                        "Connection reset by peer worker2 (id 2): it was restarted",
                        text(lost.reason()));
                assertEquals(
                        text(lost.reason()), text(failure(RpcConnectionException.class, early)));
                var late = group.node.call(ABSENT, World.request(SOME), 200);
                failure(RpcTimeoutException.class, late);
                assertEquals(0, group.node.lost.size());
            }
        }
    }

    @Test
    void connectEndsWhenTheAgentWasClosed() throws Exception {
        try (var group = new WithAbsentee(ProcessIdentity.self())) {
            var world = group.world;
            var late = new Node(World.info(3), world.store, settings());
            late.agent.start(late);
            world.nodes.add(late);
            world.node(0).agent.close();
            var connecting =
                    CompletableFuture.runAsync(() ->
                            world.node(0).agent.connect(List.of(World.info(0), World.info(3))));
            failure(RpcException.class, connecting);
        }
    }

    /** While open, prevents the driver, which other tests share, from creating logs. */
    private static final class NoPlaceForLogs implements AutoCloseable {
        private final Path place;
        private final Path away;

        NoPlaceForLogs(World world) throws IOException {
            Path directory = Path.of(world.node(0).text("driver.directory")).resolve("aeron");
            place = directory.resolve("publications");
            away = directory.resolve("away");
            Files.move(place, away);
        }

        @Override
        public void close() throws IOException {
            Files.move(away, place);
        }
    }

    /** Worker 1 of three, connected with worker 0, and with the address of a silent worker 2. */
    private static final class WithAbsentee implements AutoCloseable {
        private final World world = new World(0, Map.of());
        private final ProcessIdentity process;
        private final Doorbell bell;
        final Node node;

        WithAbsentee(ProcessIdentity process, String... more) {
            this.process = process;
            Map<String, String> settings = settings(more);
            for (int id = 0; id < ABSENT; id++) {
                world.nodes.add(new Node(World.info(id), world.store, settings));
            }
            world.nodes.forEach(each -> each.agent.start(each));
            node = world.node(1);
            bell = appear(1);
            var first =
                    CompletableFuture.runAsync(() ->
                            world.node(0).agent.connect(List.of(World.info(0), World.info(1))));
            node.agent.connect(List.of(World.info(0), World.info(1), World.info(ABSENT)));
            first.join();
        }

        /**
         * Publish the address of the absent worker and create its doorbell; {@return the doorbell}
         */
        Doorbell appear(int incarnation) {
            WorkerAddress model =
                    WorkerAddress.decode(
                            world.store.get(
                                    "worker/worker1/tensorpipe/address", Duration.ofSeconds(10)));
            var address =
                    new WorkerAddress(
                            model.incarnation() + incarnation,
                            model.host(),
                            model.driver(),
                            process,
                            true,
                            true,
                            1);
            world.store.set("worker/worker" + ABSENT + "/tensorpipe/address", address.encode());
            var directory = new DriverDirectory(Path.of(node.text("driver.directory")));
            return Doorbell.create(directory.bell(address.incarnation()), 0);
        }

        @Override
        public void close() {
            world.close();
            bell.close();
        }
    }
}
