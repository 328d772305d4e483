package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Counter;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Received.Box;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The end of a reference's creation, and of the reference. */
@Timeout(60)
class ReferenceEndTest {

    // ---- the confirmation, the same on owners and users

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1"})
    void confirmationFailsWithTheTimeoutOfTheRequest(String owner) {
        try (var group = new InprocWorkers(2)) {
            Rpc rpc = group.get(0);
            Rpc callee = group.get(rpc.worker(owner).id());
            try (RRef<Integer> late =
                    rpc.withTimeout(Duration.ofMillis(50)).remote(owner, Holds::hold, 3)) {
                var e = assertThrows(RpcTimeoutException.class, () -> late.confirmation().join());
                assertTrue(
                        e.getMessage().contains("RPC ran for more than set timeout"),
                        e::getMessage);
            }
            Holds.of(callee).release();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1"})
    void aFunctionThatThrowsHasBeenRun(String owner) {
        try (var group = new InprocWorkers(2)) {
            try (RRef<Counter> failed = group.get(0).remote(owner, Counter::new, -1)) {
                assertNull(failed.confirmation().join());
                assertTrue(failed.confirmedByOwner());
                assertThrows(RuntimeException.class, failed::toHere);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1"})
    void aConfirmationComesWithTheValue(String owner) throws Exception {
        try (var group = new InprocWorkers(2)) {
            Rpc rpc = group.get(0);
            Holds callee = Holds.of(group.get(rpc.worker(owner).id()));
            try (RRef<Integer> held = rpc.remote(owner, Holds::hold, 3)) {
                RpcFuture<@Nullable Void> confirmation = held.confirmation();
                callee.awaitEntered();
                assertTrue(!confirmation.isDone());
                callee.release();
                assertNull(confirmation.join());
                assertEquals(3, held.toHere());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1"})
    void aConfirmationEndsWithItsWorker(String owner) throws Exception {
        try (var group = new InprocWorkers(2)) {
            Rpc rpc = group.get(0);
            RRef<Integer> held = rpc.remote(owner, Holds::hold, 3);
            Holds.of(group.get(rpc.worker(owner).id())).awaitEntered();
            RpcFuture<@Nullable Void> confirmation = held.confirmation();
            rpc.shutdownNow();
            assertThrows(RpcException.class, () -> confirmation.join(Duration.ofSeconds(30)));
        }
    }

    // ---- after the shutdown

    @Test
    void deletedReferenceExplainsItselfAfterTheShutdown() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    RRef<Integer> open = rpc.remote("worker1", Numbers::square, 3);
                    RRef<Integer> closed = rpc.remote("worker1", Numbers::square, 4);
                    closed.close();
                    rpc.shutdown();
                    for (RRef<Integer> rref : List.of(open, closed)) {
                        String reason = rref.equals(open) ? " Its worker was shut down." : "";
                        assertDeleted(
                                rref,
                                "Cannot call toHere() on it after deletion." + reason,
                                rref::toHere,
                                () -> rref.toHere(Duration.ofSeconds(1)));
                        assertDeleted(
                                rref,
                                "It cannot be sent or called after deletion." + reason,
                                () -> rpc.serialization().toBytes(rref),
                                () -> rpc.serialization().toBytes(List.of(1, new Box(rref))),
                                () -> rref.rpcAsync(Numbers::square));
                    }
                });
    }

    private static void assertDeleted(RRef<?> rref, String rest, Executable... uses) {
        for (Executable use : uses) {
            var e = assertThrows(RpcException.class, use);
            assertEquals(rref + " has been deleted. " + rest, e.getMessage());
        }
    }

    @Test
    void deletedReferenceExplainsItselfAfterAnImmediateShutdown() {
        try (var group = new InprocWorkers(2)) {
            Rpc rpc = group.get(0);
            RRef<Integer> open = rpc.remote("worker1", Numbers::square, 3);
            assertEquals(9, open.toHere());
            rpc.shutdownNow();
            assertDeleted(
                    open,
                    "Cannot call toHere() on it after deletion. Its worker was shut down.",
                    open::toHere);
        }
    }

    @Test
    void otherReferencesReportTheStoppedWorker() throws Exception {
        InprocGroup.run(
                1,
                rpc -> {
                    RRef<Integer> mine = rpc.rref(5);
                    rpc.shutdown();
                    assertEquals(5, mine.toHere());
                    for (Object value : List.of(1, "text", mine)) {
                        var e =
                                assertThrows(
                                        RpcException.class,
                                        () -> rpc.serialization().toBytes(value));
                        assertEquals(RpcErrorKind.SHUTDOWN, e.kind());
                    }
                });
    }

    // ---- results without a receiver

    @Test
    void referencesInTheResultOfACancelledCallAreReleased() throws Exception {
        try (var group = new InprocWorkers(2)) {
            Rpc rpc = group.get(0);
            for (int i = 0; i < 200; i++) {
                rpc.rpcAsync("worker1", Counter::reference, i).cancel();
            }
            assertEquals(7, rpc.rpcSync("worker1", Numbers::add, 3, 4));
            Metrics.await(group.get(1), "agent.server_active_calls", 0);
            Metrics.awaitNothingOwned(group.get(1));
        }
    }

    /**
     * The value is created after its owner has counted no values, and the release message fails at
     * first: the group must not end before the retry.
     */
    @Test
    void groupDoesNotEndBeforeAReferenceIsReleased() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.num-fail-sends", "1",
                        "gradwire.faulty.messages-to-fail", "RREF_USER_DELETE",
                        "gradwire.faulty.messages-to-delay", "UDF_REMOTE_CALL:500ms",
                        "gradwire.fail-on-rref-leak", "true"),
                rpc -> rpc.remote("worker1", Numbers::square, 3).close());
    }
}
