package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Errors of programs: the exception is immediate and specific, and the worker continues. */
@Timeout(60)
class BadInputTest {

    private static <T extends Throwable> void refused(
            Rpc rpc, Class<T> type, String text, Executable call) {
        T failure = assertThrows(type, call);
        assertTrue(
                String.valueOf(failure.getMessage()).contains(text),
                () -> "'" + failure.getMessage() + "' should contain '" + text + "'");
        assertEquals("0", rpc.debugInfo().get("num_pending_users"));
        assertEquals(9, rpc.rpcSync("worker1", Numbers::square, 3));
    }

    @Test
    void unknownWorker() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    String text = "could not find destination name absent; the group has";
                    refused(
                            rpc,
                            RpcException.class,
                            text,
                            () -> rpc.rpcSync("absent", Numbers::square, 1));
                    refused(
                            rpc,
                            RpcException.class,
                            text,
                            () -> rpc.remote("absent", Numbers::square, 1));
                    refused(
                            rpc,
                            RpcException.class,
                            "could not find destination id 7",
                            () -> rpc.worker(7));
                });
    }

    @Test
    @SuppressWarnings("NullAway") // as in a program without null checks
    void nullWhereAFunctionIsWanted() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Function1<Integer, Integer> none = null;
                    refused(
                            rpc,
                            TypeMismatchException.class,
                            "the remote function is null",
                            () -> rpc.rpcSync("worker1", none, 1));
                });
    }

    @Test
    void nullWhereAPrimitiveIsWanted() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc ->
                        refused(
                                rpc,
                                IllegalArgumentException.class,
                                "number",
                                () ->
                                        rpc.rpcSync(
                                                "worker1",
                                                Call.to(Numbers::square)
                                                        .args((@Nullable Object) null))));
    }

    @Test
    void argumentsOfWrongNumberOrType() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refused(
                            rpc,
                            IllegalArgumentException.class,
                            "received 2 argument(s)",
                            () -> rpc.rpcSync("worker1", Call.to(Numbers::square).args(1, 2)));
                    refused(
                            rpc,
                            IllegalArgumentException.class,
                            "missing value for argument 'number'",
                            () -> rpc.rpcSync("worker1", Call.to(Numbers::square)));
                    refused(
                            rpc,
                            IllegalArgumentException.class,
                            "'number'",
                            () -> rpc.rpcSync("worker1", Call.to(Numbers::square).args("one")));
                });
    }

    @Test
    void valuesThatCannotTravel() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refused(
                            rpc,
                            TypeMismatchException.class,
                            "java.lang.Thread",
                            () -> rpc.rpcSync("worker1", Numbers::echo, Thread.currentThread()));
                    refused(
                            rpc,
                            TypeMismatchException.class,
                            "java.lang.Thread",
                            () ->
                                    rpc.rpcSync(
                                            "worker1",
                                            Numbers::echo,
                                            Map.of("deep", List.of(Thread.currentThread()))));
                });
    }

    @Test
    void valuesThatContainThemselves() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    List<Object> list = new ArrayList<>();
                    list.add(list);
                    Map<String, Object> map = new HashMap<>();
                    map.put("self", map);
                    for (Object cyclic : List.of(list, map)) {
                        refused(
                                rpc,
                                IllegalArgumentException.class,
                                "nested",
                                () -> rpc.rpcSync("worker1", Numbers::echo, cyclic));
                    }
                });
    }

    @Test
    void referenceInJavaSerialization() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Integer> rref = rpc.remote("worker1", Numbers::square, 2);
                            var out = new ObjectOutputStream(new ByteArrayOutputStream())) {
                        rref.confirmation().join();
                        refused(
                                rpc,
                                NotSerializableException.class,
                                "RRef serialization is only allowed inside RPC calls",
                                () -> out.writeObject(rref));
                    }
                });
    }

    @Test
    void aClosedWorker() throws Exception {
        List<Rpc> kept = new ArrayList<>();
        InprocGroup.run(1, kept::add);
        RpcException failure =
                assertThrows(
                        RpcException.class,
                        () -> kept.getFirst().rpcSync("worker0", Numbers::square, 1));
        assertTrue(failure.getMessage().startsWith("RPC has not been initialized"));
    }

    @Test
    void timeoutsThatAreNotPositive() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refusesTimeout(rpc, Duration.ofSeconds(-1));
                    refusesTimeout(rpc, Duration.ZERO);
                });
    }

    private static void refusesTimeout(Rpc rpc, Duration timeout) {
        String text =
                "an RPC timeout must be more than zero, but got "
                        + timeout
                        + "; to wait without a limit, leave the argument out, or make calls through withoutTimeout()";
        refused(rpc, IllegalArgumentException.class, text, () -> rpc.withTimeout(timeout));
        refused(rpc, IllegalArgumentException.class, text, () -> rpc.rpcTimeout(timeout));
        refused(
                rpc,
                IllegalArgumentException.class,
                "an RPC timeout must be more than zero, but got " + timeout,
                () -> RpcOptions.builder().rpcTimeout(timeout));
        refused(rpc, IllegalArgumentException.class, text, () -> rpc.shutdown(timeout));
        refused(
                rpc,
                IllegalArgumentException.class,
                text,
                () -> rpc.allGather(1, Set.of(), timeout));
        try (RRef<Integer> rref = rpc.remote("worker1", Numbers::square, 2)) {
            rref.confirmation().join();
            refused(rpc, IllegalArgumentException.class, text, () -> rref.withTimeout(timeout));
            refused(rpc, IllegalArgumentException.class, text, () -> rref.toHere(timeout));
        }
        RRef<Integer> own = rpc.rref(1);
        refused(rpc, IllegalArgumentException.class, text, () -> own.toHere(timeout));
        own.close();
    }

    @Test
    void malformedPoliciesOfFunctions() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refused(
                            rpc,
                            IllegalArgumentException.class,
                            "attemptTimeout must be more than zero, but is PT0S",
                            () -> rpc.rpcSync("worker1", Numbers::squareWithBadRetry, 1));
                    assertEquals("0", rpc.debugInfo().get("num_retried_calls"));
                });
        for (String name : List.of("", " ", "a=b", "a,b", "a b")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> RpcOptions.builder().retry(name, RetryPolicy.DEFAULT));
        }
        assertEquals(
                "a.*=5 PT0.1S 1.5 PT10S,b=0 PT0S 1.0 PT0.01S",
                RpcOptions.builder()
                        .retry("a.*", RetryPolicy.DEFAULT)
                        .retry("b", RetryPolicy.NONE.withAttemptTimeout(Duration.ofMillis(10)))
                        .build()
                        .settings()
                        .get("gradwire.retries"));
    }

    @Test
    void retriedCallThatCannotBeEncodedLeavesNoState() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refused(
                            rpc,
                            TypeMismatchException.class,
                            "java.lang.Thread",
                            () ->
                                    rpc.withRetry(RetryPolicy.DEFAULT)
                                            .rpcSync(
                                                    "worker1",
                                                    Numbers::echo,
                                                    Thread.currentThread()));
                    assertEquals("0", rpc.debugInfo().get("num_retried_calls"));
                });
    }

    @Test
    void aTensorOfThreeGibibytes() {
        IllegalArgumentException failure =
                assertThrows(
                        IllegalArgumentException.class, () -> Tensor.zeros(3, 1 << 14, 1 << 14, 4));
        assertTrue(failure.getMessage().contains("elements"), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gradwire.world-size | two | gradwire.world-size=two",
                "gradwire.rank | -1 | gradwire.rank=-1",
                "gradwire.rpc-timeout | soon | gradwire.rpc-timeout=soon",
                "gradwire.rpc-timeout | -1s | gradwire.rpc-timeout=-1s",
                "gradwire.backend | pigeons | pigeons",
                "gradwire.rendezvous | here | gradwire.rendezvous=here must have the form",
                "gradwire.group | loose | gradwire.group=loose",
                "gradwire.retries | f=-1 | gradwire.retries holds 'f=-1' (from the options), which is invalid: it must be rules FUNCTION=RETRIES",
                "gradwire.retries | f | gradwire.retries holds 'f' (from",
                "gradwire.retries | f=99999999999 | gradwire.retries holds 'f=99999999999' (from",
                "gradwire.retries | f=1 soon | gradwire.retries=soon",
                "gradwire.retries | f=1 1s 0.5 | backoff must be at least 1, but is 0.5",
                "gradwire.retries | f=1 1s NaN | backoff must be at least 1, but is NaN",
                "gradwire.retries | f=1 1s 1 0s | attemptTimeout must be more than zero, but is PT0S",
                "gradwire.retries | f=1 1s 1 1s 1 | gradwire.retries holds 'f=1 1s 1 1s 1' (from",
                "gradwire.cached-replies | -1 | gradwire.cached-replies=-1",
                "gradwire.name | a b | Worker name must match",
                "gradwire.no-such-key | 1 | unknown setting gradwire.no-such-key",
                "gradwire.os.native | off | gradwire.os.native=off (from the options) holds for the whole JVM; set it as system property gradwire.os.native or as environment variable GRADWIRE_OS_NATIVE",
            })
    void settingsThatMakeNoSense(String key, String value, String text) {
        RpcOptions options =
                RpcOptions.builder()
                        .rank(0)
                        .worldSize(1)
                        .backend("inproc")
                        .rendezvous("inproc://" + UUID.randomUUID())
                        .set(key, value)
                        .build();
        RuntimeException failure =
                assertThrows(RuntimeException.class, () -> Rpc.init(options).close());
        assertTrue(
                failure instanceof RpcConfigurationException
                        || failure instanceof IllegalArgumentException,
                failure::toString);
        assertTrue(String.valueOf(failure.getMessage()).contains(text), failure::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "gradwire.blas.threads, 0, an integer from 1 to 1024",
        "gradwire.blas.threads, all, an integer from 1 to 1024",
        "gradwire.tensor.native-soft-limit, lots, a size",
        "gradwire.tensor.native-limit, -1, a size",
        "gradwire.os.native, maybe, on or off"
    })
    void settingsOfTheJvmThatMakeNoSense(String key, String value, String expected) {
        RpcOptions options =
                RpcOptions.builder()
                        .rank(0)
                        .worldSize(1)
                        .backend("inproc")
                        .rendezvous("inproc://" + UUID.randomUUID())
                        .build();
        System.setProperty(key, value);
        try {
            var failure =
                    assertThrows(RpcConfigurationException.class, () -> Rpc.init(options).close());
            String text = String.valueOf(failure.getMessage());
            String start = key + "=" + value + " (from system propert";
            assertTrue(text.startsWith(start) && text.contains(" must be " + expected), text);
            assertEquals(
                    BadInputTest.class.getName(),
                    failure.getStackTrace()[0].getClassName(),
                    "of the trace only what the program did");
        } finally {
            System.clearProperty(key);
        }
    }
}
