package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Products;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

/** A callee may be given as a WorkerInfo wherever it may be given by its name. */
@Timeout(60)
class WorkerInfoCallsTest {
    @Test
    void eachVerbTakesOne() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (WorkerInfo to : List.of(rpc.self(), rpc.worker("worker1"))) {
                        for (RpcCalls calls :
                                List.of(rpc, rpc.withTimeout(Duration.ofMinutes(1)))) {
                            assertEquals(9, calls.rpcSync(to, Numbers::square, 3));
                            assertEquals(9, calls.rpcAsync(to, Numbers::square, 3).join());
                            assertEquals(9, calls.rpcSync(to, Call.to(Numbers::square).args(3)));
                            assertEquals(
                                    9, calls.rpcAsync(to, Call.to(Numbers::square).args(3)).join());
                            calls.runSync(to, Products::openGate, 1);
                            assertNull(calls.runAsync(to, Products::openGate, 1).join());
                            try (RRef<Integer> made = calls.remote(to, Numbers::square, 3)) {
                                assertEquals(to, made.owner());
                                assertEquals(9, made.toHere());
                            }
                            try (RRef<Integer> made =
                                    calls.remote(to, Call.to(Numbers::square).args(3))) {
                                assertEquals(9, made.toHere());
                            }
                        }
                    }
                });
    }

    @Test
    void oneOfAnotherGroupIsRefused() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (WorkerInfo to :
                            List.of(
                                    new WorkerInfo(1, "worker0"),
                                    new WorkerInfo(7, "worker1"),
                                    new WorkerInfo(1, "elsewhere"))) {
                        for (RpcCalls calls :
                                List.of(rpc, rpc.withTimeout(Duration.ofMinutes(1)))) {
                            var refused =
                                    assertThrows(
                                            RpcException.class,
                                            () -> calls.rpcSync(to, Numbers::square, 3));
                            String text = String.valueOf(refused.getMessage());
                            assertTrue(
                                    text.startsWith(to + " is no member of this group; it has ["),
                                    text);
                            assertThrows(
                                    RpcException.class,
                                    () -> calls.rpcAsync(to, Numbers::square, 3));
                            assertThrows(
                                    RpcException.class, () -> calls.remote(to, Numbers::square, 3));
                        }
                    }
                });
    }
}
