package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.tests.functions.Callables;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The default timeout of a worker, and the text of a timeout: function, callee and limit. */
@Timeout(60)
class TimeoutTextTest {
    private static final Map<String, String> LOSSY =
            Map.of(
                    "gradwire.backend", "faulty",
                    "gradwire.faulty.backend", "inproc",
                    "gradwire.faulty.messages-to-fail", "",
                    "gradwire.faulty.messages-to-delay", "",
                    "gradwire.faulty.requests-to-lose", "UDF_CALL:1,UDF_RREF_FETCH_CALL:1");

    private static String text(int millis, String subject) {
        return "RPCErr:1:RPC ran for more than set timeout (%d ms) and will now be marked with an error: %s on worker1"
                .formatted(millis, subject);
    }

    private static void timesOut(String text, Executable call) {
        assertEquals(text, assertThrows(RpcTimeoutException.class, call).getMessage());
    }

    @Test
    void timeoutNamesFunctionAndCallee() throws Exception {
        String square = "org.gradwire.runtime.tests.functions.Numbers.square";
        InprocGroup.runFirst(
                2,
                LOSSY,
                rpc -> {
                    RpcCalls calls = rpc.withTimeout(Duration.ofMillis(50));
                    timesOut(text(50, square), () -> calls.rpcSync("worker1", Numbers::square, 3));
                    timesOut(
                            text(50, square),
                            () -> calls.rpcAsync("worker1", Numbers::square, 3).join());
                    timesOut(
                            text(50, square),
                            () ->
                                    calls.withRetry(new RetryPolicy(3, Duration.ofMillis(10), 1))
                                            .rpcSync("worker1", Numbers::square, 3));
                    rpc.rpcTimeout(Duration.ofMillis(70));
                    timesOut(text(70, square), () -> rpc.rpcSync("worker1", Numbers::square, 3));
                    try (RRef<Integer> made = rpc.remote("worker1", Numbers::square, 3)) {
                        timesOut(text(70, "the value of a reference"), made::toHere);
                    }
                    rpc.rpcTimeout(Duration.ofSeconds(30));
                });
    }

    @Test
    void defaultTimeoutIsThatOfTheProgramOrAbsent() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    assertEquals(Optional.of(Duration.ofSeconds(60)), rpc.rpcTimeout());
                    rpc.rpcTimeout(Duration.ofMillis(70));
                    assertEquals(Optional.of(Duration.ofMillis(70)), rpc.rpcTimeout());
                });
        InprocGroup.runFirst(
                1,
                Map.of("gradwire.rpc-timeout", "0s"),
                rpc -> {
                    assertEquals(Optional.empty(), rpc.rpcTimeout());
                    assertEquals(9, rpc.rpcSync("worker0", Numbers::square, 3));
                    rpc.rpcTimeout(Duration.ofSeconds(1));
                    assertEquals(Optional.of(Duration.ofSeconds(1)), rpc.rpcTimeout());
                });
    }

    @Test
    @SuppressWarnings("gradwire") // otherwise the compiler would refuse it too
    void missingAsyncIsRefusedAtTheCall() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var refused =
                            assertThrows(
                                    TypeMismatchException.class,
                                    () -> rpc.rpcSync("worker1", Callables::later, 3));
                    assertEquals(
                            "org.gradwire.runtime.tests.functions.Callables.later is marked @AsyncExecution, so its caller gets the value of its future and not the future: write RpcFunction.async(Callables::later)",
                            refused.getMessage());
                    assertThrows(
                            TypeMismatchException.class,
                            () -> rpc.rpcAsync("worker1", Callables::later, 3));
                    assertThrows(
                            TypeMismatchException.class,
                            () -> rpc.remote("worker1", Callables::later, 3));
                    int value =
                            rpc.rpcSync(
                                    "worker1",
                                    RpcFunction.<Integer, Integer>async(Callables::later),
                                    3);
                    assertEquals(3, value);
                });
    }
}
