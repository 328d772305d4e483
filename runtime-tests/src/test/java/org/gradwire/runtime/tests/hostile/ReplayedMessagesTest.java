package org.gradwire.runtime.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.profiler.Profiler;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.InprocWorkers;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * A member sends the messages of another one, byte for byte, names in them included: its session
 * counts, not the contents.
 */
@Timeout(120)
class ReplayedMessagesTest {
    private static final String TRUSTED = TappedBackend.HOSTILE; // whose messages are kept
    private static final String POLICY = "*: gradwire::join; %s: *".formatted(TRUSTED);
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int ROUNDS = 200;
    private static final Logger LOG = Logger.getLogger("gradwire.audit");

    private final String meeting = "inproc://" + UUID.randomUUID();

    @BeforeEach
    void logNothing() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private Rpc join(int rank, String name, Map<String, String> settings) {
        RpcOptions.Builder options =
                RpcOptions.builder()
                        .rank(rank)
                        .name(name)
                        .dynamicGroup()
                        .backend(TappedBackend.NAME)
                        .rendezvous(meeting);
        settings.forEach(options::set);
        return Rpc.init(options.build());
    }

    @Test
    void aSessionCountsAndNotWhatAMessageSays() throws Exception {
        Rpc victim = join(0, "victim", Map.of("gradwire.allow", POLICY));
        Rpc trusted = join(1, TRUSTED, Map.of());
        doAll(victim, trusted);
        List<Message> sent =
                TappedBackend.agent(TRUSTED).sent().stream()
                        .filter(ReplayedMessagesTest::needsPermission)
                        .toList();
        var types = new TreeSet<String>();
        sent.forEach(message -> types.add(MessageTypes.name(message.type())));
        assertTrue(
                types.containsAll(
                        Set.of(
                                "UDF_CALL",
                                "UDF_REMOTE_CALL",
                                "UDF_RREF_FETCH_CALL",
                                "SCRIPT_CALL",
                                "FORWARD_AUTOGRAD_REQ",
                                "BACKWARD_AUTOGRAD_REQ",
                                "RUN_WITH_PROFILING_REQ",
                                "GATHER_REQ")),
                types::toString);
        Rpc eve = join(2, "eve", Map.of());
        for (Message message : sent) {
            String reply = replayed(message, victim.self().id());
            assertTrue(
                    reply.contains("permission denied: worker eve may not use "),
                    MessageTypes.name(message.type()) + ": " + reply);
        }
        assertEquals(
                Integer.toString(sent.size()), victim.debugInfo().get("num_permission_denials"));
        eve.shutdownNow();
        trusted.shutdownNow();
        victim.shutdownNow();
    }

    private static boolean needsPermission(Message message) {
        return switch (message.type()) {
            case MessageTypes.SCRIPT_CALL,
                    MessageTypes.SCRIPT_REMOTE_CALL,
                    MessageTypes.UDF_CALL,
                    MessageTypes.UDF_REMOTE_CALL,
                    MessageTypes.SCRIPT_RREF_FETCH_CALL,
                    MessageTypes.UDF_RREF_FETCH_CALL,
                    MessageTypes.FORWARD_AUTOGRAD_REQ,
                    MessageTypes.BACKWARD_AUTOGRAD_REQ,
                    MessageTypes.RREF_BACKWARD_REQ,
                    MessageTypes.DISCOVER_AUTOGRAD_REQ,
                    MessageTypes.RUN_WITH_PROFILING_REQ,
                    MessageTypes.GATHER_REQ,
                    MessageTypes.BROADCAST_REQ ->
                    true;
            default -> false;
        };
    }

    private static String replayed(Message message, int victim) throws Exception {
        var end = new CompletableFuture<String>();
        TappedBackend.agent("eve")
                .send(victim, message.copy(BufferAllocator.plain()), TIMEOUT_NANOS, ending(end));
        return end.get(TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
    }

    private static ReplyHandler ending(CompletableFuture<String> end) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                String text = new String(reply.payload(), StandardCharsets.ISO_8859_1);
                end.complete(
                        reply.type() == MessageTypes.EXCEPTION ? text : "a reply, not a failure");
            }

            @Override
            public void onFailure(RuntimeException failure) {
                end.complete(failure.toString());
            }
        };
    }

    /** Send the victim a message of each kind that needs a permission. */
    private static void doAll(Rpc victim, Rpc rpc) {
        assertEquals(9, rpc.rpcSync("victim", Numbers::square, 3));
        assertEquals(TRUSTED, rpc.rpcSync("victim", Numbers::echo, TRUSTED));
        try (RRef<Integer> square = rpc.remote("victim", Numbers::square, 4)) {
            assertEquals(16, square.toHere());
        }
        try (Profiler _ = Profiler.start(rpc)) {
            assertEquals(9, rpc.rpcSync("victim", Numbers::square, 3));
        }
        rpc.rpcSync("victim", Ops::add, Tensor.ones(1), Tensor.ones(1));
        Tensor leaf = Tensor.ones(2).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor sum = rpc.rpcSync("victim", Ops::add, leaf, Tensor.ones(2));
            context.backward(sum.sum());
        }
        CompletableFuture<Void> other =
                InprocWorkers.onThread(() -> {
                    victim.barrier(Set.of());
                    return null;
                });
        rpc.barrier(Set.of());
        other.join();
    }

    @Test
    void callsBesideRefusalsGoOn() throws Exception {
        Rpc victim = join(0, "victim", Map.of("gradwire.allow", POLICY));
        Rpc trusted = join(1, TRUSTED, Map.of());
        Rpc eve = join(2, "eve", Map.of());
        assertEquals(9, trusted.rpcSync("victim", Numbers::square, 3));
        Message call = TappedBackend.agent(TRUSTED).sent().getLast();
        assertEquals(MessageTypes.UDF_CALL, call.type());
        var over = new AtomicBoolean();
        CompletableFuture<Integer> attack =
                InprocWorkers.onThread(() -> {
                    int refused = 0;
                    while (!over.get()) {
                        refused += refusals(call, victim.self().id());
                    }
                    return refused;
                });
        for (int i = 0; i < ROUNDS; i++) {
            assertEquals(i * i, trusted.rpcSync("victim", Numbers::square, i));
            try (RRef<Integer> square = trusted.remote("victim", Numbers::square, i)) {
                assertEquals(i * i, square.toHere());
            }
        }
        over.set(true);
        int refused = attack.get(TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
        assertTrue(refused > 0, "nothing was refused meanwhile");
        assertEquals(Integer.toString(refused), victim.debugInfo().get("num_permission_denials"));
        eve.shutdownNow();
        trusted.shutdownNow();
        victim.shutdownNow();
    }

    /** {@return how many of a batch of replayed calls were refused: all} */
    private static int refusals(Message call, int victim) {
        List<CompletableFuture<String>> ends =
                Stream.generate(CompletableFuture<String>::new).limit(100).toList();
        ends.forEach(end ->
                TappedBackend.agent("eve")
                        .send(
                                victim,
                                call.copy(BufferAllocator.plain()),
                                TIMEOUT_NANOS,
                                ending(end)));
        ends.forEach(end -> assertTrue(end.join().contains("permission denied"), end.join()));
        return ends.size();
    }
}
