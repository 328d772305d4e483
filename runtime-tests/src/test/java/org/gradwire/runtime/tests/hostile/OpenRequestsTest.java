package org.gradwire.runtime.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Open requests of a member, which count against its limit from their first byte. */
@Timeout(120)
class OpenRequestsTest {
    private static final Logger LOG = Logger.getLogger("org.gradwire");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long SHARE = Runtime.getRuntime().maxMemory() / 4;
    private static final String BYTES = "agent.server_call_bytes";

    /** Padding of a request; below the limit of a message with an immediate reply. */
    private static final int PADDING = 60_000;

    /** Bytes of the friend's open requests, and of the next refused one. */
    private static final int OTHERS = 1 << 20;

    private static final int HOLDS = 10;

    private final String meeting = "inproc://" + UUID.randomUUID();

    @BeforeEach
    void logLess() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private Rpc join(int rank, String name) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .name(name)
                        .dynamicGroup()
                        .backend(TappedBackend.NAME)
                        .rendezvous(meeting)
                        .rpcTimeout(PATIENCE)
                        .set("gradwire.max-running-calls", "1")
                        .set("gradwire.fail-on-rref-leak", "false") // it leaks
                        .build());
    }

    /** An action of a hostile member, which leaves afterwards. */
    @FunctionalInterface
    private interface Attack {
        void run(Rpc victim, Rpc friend, Rpc hostile) throws Exception;
    }

    private void attack(Attack attack) throws Exception {
        Rpc victim = join(0, "victim");
        Rpc friend = join(1, "friend");
        Rpc hostile = join(2, TappedBackend.HOSTILE);
        try {
            attack.run(victim, friend, hostile);
            hostile.shutdownNow();
            awaitBytes(victim, 0);
            try (Rpc late = join(3, "late")) {
                assertEquals(49, late.rpcSync("victim", Numbers::square, 7));
            }
        } finally {
            hostile.shutdownNow();
            friend.shutdownNow();
            victim.shutdownNow();
        }
    }

    private static long bytes(Rpc rpc) {
        Map<String, String> info = rpc.debugInfo();
        return Long.parseLong(info.getOrDefault(BYTES, "-1"));
    }

    private static void awaitBytes(Rpc rpc, long expected) {
        long start = System.nanoTime();
        while (bytes(rpc) != expected && System.nanoTime() - start < PATIENCE.toNanos()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertEquals(expected, bytes(rpc), BYTES);
    }

    /** {@return a handler that counts down when a request is refused for too many open bytes} */
    private static ReplyHandler expectingRefusal(CountDownLatch refused) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                String text = new String(reply.payload(), StandardCharsets.UTF_8);
                if (reply.type() == MessageTypes.EXCEPTION
                        && text.contains("messages of worker 2 would take")) {
                    refused.countDown();
                }
            }

            @Override
            public void onFailure(RuntimeException failure) {}
        };
    }

    /** Send requests until they exceed a quarter of the heap. */
    private static void sendUntilRefused(int victim, Message request, long counted)
            throws InterruptedException {
        TappedBackend.Agent agent = TappedBackend.agent(TappedBackend.HOSTILE);
        var refused = new CountDownLatch(1);
        for (long sent = 0; sent <= SHARE && refused.getCount() > 0; sent += counted) {
            agent.send(victim, request, 0, expectingRefusal(refused));
        }
        assertTrue(refused.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no request was refused");
    }

    /** {@return the request of a type that an action of a hostile member sends} */
    private static Message sentBy(Runnable action, int type) {
        TappedBackend.Agent agent = TappedBackend.agent(TappedBackend.HOSTILE);
        action.run();
        return agent.sent().stream()
                .filter(message -> message.type() == type)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    @Test
    void fetchesOfAnUnknownValue() throws Exception {
        attack((victim, friend, hostile) -> {
            Message fetch =
                    sentBy(
                            () -> request(hostile, victim, OpenRequestsTest::fetchOfNothing),
                            MessageTypes.UDF_RREF_FETCH_CALL);
            sendUntilRefused(victim.self().id(), fetch, PADDING);
            assertTrue(bytes(victim) > SHARE / 2, bytes(victim) + " bytes");
            assertTrue(bytes(victim) <= SHARE + OTHERS, bytes(victim) + " bytes");
            assertEquals(49, friend.rpcSync("victim", Numbers::square, 7));
        });
    }

    private static void request(Rpc from, Rpc to, Consumer<Output> body) {
        Worker.of(from).request(to.self().id(), MessageTypes.UDF_RREF_FETCH_CALL, body, PATIENCE);
    }

    /** Write a fetch of a value that the hostile worker never creates. */
    private static void fetchOfNothing(Output out) {
        out.writeInt(2);
        out.writeLong(77);
        out.writeLong(77);
        out.writeString("String");
        out.writeInt(2);
        out.writeBytes(new byte[PADDING]);
    }

    @Test
    void queuedCalls() throws Exception {
        attack((victim, friend, hostile) -> {
            for (int i = 0; i < HOLDS; i++) { // a blocked call later lets the next one run
                friend.rpcAsync("victim", Holds::hold, 1);
            }
            Holds.of(victim).awaitEntered();
            Message call =
                    sentBy(() -> hostile.rpcAsync("victim", Numbers::zero), MessageTypes.UDF_CALL);
            byte[] padded = Arrays.copyOf(call.payload(), call.payload().length + PADDING);
            sendUntilRefused(
                    victim.self().id(), new Message(call.type(), padded, List.of()), PADDING);
            assertTrue(bytes(victim) <= SHARE + OTHERS, bytes(victim) + " bytes");
            Holds.of(victim).release();
            assertEquals(49, friend.rpcSync("victim", Numbers::square, 7));
            awaitBytes(victim, 0);
        });
    }

    @Test
    void repliedRequestsAreNotCounted() throws Exception {
        attack((victim, friend, _) -> {
            for (int i = 0; i < 200; i++) {
                assertEquals(49, friend.rpcSync("victim", Numbers::square, 7));
                friend.rpcSync("victim", Numbers::echo, new byte[100_000]);
                friend.remote("victim", Numbers::square, 7).toHere();
            }
            awaitBytes(victim, 0);
            awaitBytes(friend, 0);
        });
    }
}
