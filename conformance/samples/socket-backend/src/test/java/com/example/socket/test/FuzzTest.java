package com.example.socket.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.conformance.harness.MemoryStore;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Fuzzes handshakes and frames: no unexpected exception, no hang, no memory above the limits, and
 * the worker keeps serving others. System property {@code conformance.fuzz-messages} sets the
 * number of messages, {@code conformance.fuzz-seed} repeats a run.
 */
@Tag("quick")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class FuzzTest {
    private static final int FRAMES = Integer.getInteger("conformance.fuzz-messages", 20_000);
    private static final long SEED = Long.getLong("conformance.fuzz-seed", System.nanoTime());
    private static final Logger LOG = Logger.getLogger("com.example.socket");
    private static final int MAX_MESSAGE = 1 << 20;
    private static final int FRAMES_OF_A_VISIT = 10;
    private static final int VISITS_BETWEEN_CALLS = 100;
    private static final int RAW = 2;

    /** The published port of a member that only dials. */
    private static final int PORT_OF_NOBODY = 1;

    private final Random random = new Random(SEED);
    private final MemoryStore store = new MemoryStore();
    private final AtomicLong largest = new AtomicLong();
    private final RpcAgent agent = agent(0);
    private final RpcAgent other = agent(1);
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Handler errorsLogged = new ErrorsLogged(errors);

    /** Records the errors that the backend logs for unexpected exceptions. */
    private static final class ErrorsLogged extends Handler {
        private final Queue<String> errors;

        ErrorsLogged(Queue<String> errors) {
            this.errors = errors;
            setLevel(Level.SEVERE);
        }

        @Override
        public void publish(LogRecord entry) {
            if (isLoggable(entry)) {
                errors.add(entry.getMessage() + ": " + entry.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private RpcAgent agent(int id) {
        BackendProvider provider =
                ServiceLoader.load(BackendProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(known -> known.name().equals("socket"))
                        .findFirst()
                        .orElseThrow();
        Map<String, String> settings = Map.of("gradwire.socket.max-message-bytes", "1m");
        BufferAllocator watching =
                (kind, bytes) -> {
                    largest.accumulateAndGet(bytes, Math::max);
                    return BufferAllocator.plain().allocate(kind, bytes);
                };
        return provider.create(
                new AgentContext(
                        new WorkerInfo(id, "worker" + id),
                        MapSettings.of(provider, settings),
                        store,
                        watching));
    }

    @BeforeEach
    void connect() {
        System.out.println("-Dconformance.fuzz-seed=" + SEED);
        LOG.addHandler(errorsLogged);
        agent.start(new Echo());
        other.start(new Echo());
        var members = List.of(new WorkerInfo(0, "worker0"), new WorkerInfo(1, "worker1"));
        agent.connect(members);
        other.connect(members);
    }

    @AfterEach
    void close() {
        agent.close();
        other.close();
        LOG.removeHandler(errorsLogged);
    }

    @Test
    void whoDialsWithErrorsDoesNoHarm() throws Exception {
        for (int visit = 0; visit < FRAMES / FRAMES_OF_A_VISIT; visit++) {
            visit(random.nextInt(8) == 0);
            if (visit % VISITS_BETWEEN_CALLS == 0) {
                assertServing();
            }
        }
        assertServing();
        assertTrue(figure("frames_received") > FRAMES / 10, this::figures);
        assertTrue(figure("visitors_refused") > FRAMES / FRAMES_OF_A_VISIT / 20, this::figures);
        assertNoHarm();
    }

    /**
     * Perform the handshake, with errors or without, send some frames, and wait until the agent
     * ends the connection.
     */
    private void visit(boolean greetsWrong) throws IOException {
        var member = RawMember.of(RAW, 1, random.nextLong());
        member.announce(PORT_OF_NOBODY, store);
        try (Socket socket = RawMember.dial(0, store)) {
            byte[] handshake = member.handshake(socket, 0, store);
            byte[] said = greetsWrong ? RawFrames.mutated(handshake, random) : handshake;
            socket.getOutputStream().write(said);
            if (!greetsWrong) {
                assertTrue(member.isLetIn(socket), "a valid handshake was refused");
            }
            for (int i = 0; i < FRAMES_OF_A_VISIT; i++) {
                byte[] frame = RawFrames.mutated(RawFrames.fromDialer(random), random);
                socket.getOutputStream().write(frame);
            }
            socket.shutdownOutput();
            var _ = socket.getInputStream().readAllBytes();
        } catch (SocketException _) {
            // it was rejected while it was writing
        }
    }

    @Test
    void whoIsDialedAndAnswersWithErrorsDoesNoHarm() throws Exception {
        int replies = 0;
        for (int member = 0; member < FRAMES / FRAMES_OF_A_VISIT / 4; member++) {
            replies += answer(member + 1L) ? 1 : 0;
            if (member % VISITS_BETWEEN_CALLS == 0) {
                assertServing();
            }
        }
        assertServing();
        assertTrue(replies > FRAMES / FRAMES_OF_A_VISIT / 40, replies + " replies came only");
        assertNoHarm();
    }

    /** Accept a connection and answer one request; {@return whether it ended with a reply} */
    private boolean answer(long incarnation) throws Exception {
        var member = RawMember.of(RAW, incarnation, random.nextLong());
        var reply = new Reply();
        try (var door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            member.listen(door, store);
            var connecting =
                    CompletableFuture.runAsync(
                            () -> agent.connect(List.of(new WorkerInfo(RAW, "raw"))),
                            task -> Thread.ofVirtual().start(task));
            try (Socket socket = member.accept(door)) {
                connecting.get(20, TimeUnit.SECONDS);
                agent.send(RAW, request(), 0, reply);
                sayReplies(socket);
            }
        }
        boolean isReply = reply.isReply();
        agent.disconnect(RAW);
        return isReply;
    }

    private void sayReplies(Socket socket) throws IOException {
        try {
            var in = new DataInputStream(socket.getInputStream());
            assertEquals(1, in.readUnsignedByte());
            long id = in.readLong();
            for (int i = 0; i < FRAMES_OF_A_VISIT; i++) {
                byte[] frame = RawFrames.mutated(RawFrames.fromListener(id, random), random);
                socket.getOutputStream().write(frame);
            }
            socket.shutdownOutput();
            var _ = in.readAllBytes();
        } catch (SocketException _) {
            // the agent ended the connection during the write
        }
    }

    private static Message request() {
        return new Message(MessageTypes.UDF_CALL, new byte[] {4, 2}, List.of());
    }

    private void assertServing() throws InterruptedException, TimeoutException {
        for (boolean there : List.of(true, false)) {
            var reply = new Reply();
            (there ? other : agent).send(there ? 0 : 1, request(), 0, reply);
            assertTrue(reply.isReply(), () -> "worker " + (there ? 0 : 1) + " does not serve");
        }
    }

    private void assertNoHarm() {
        assertEquals(List.of(), List.copyOf(errors));
        assertTrue(largest.get() > 0, "no message came through");
        assertTrue(largest.get() <= MAX_MESSAGE, largest.get() + " bytes were allocated at once");
    }

    private long figure(String key) {
        return Long.parseLong(String.valueOf(agent.debugInfo().get("socket." + key)));
    }

    private String figures() {
        return agent.debugInfo().toString();
    }
}
