package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Counter;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Calls of methods of a referenced value. */
@Timeout(60)
class RRefCallsTest {

    @ParameterizedTest
    @ValueSource(strings = {"worker1", "worker0"})
    void methodsRunOnTheValueItself(String owner) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote(owner, Counter::new, 5)) {
                        assertEquals(5, counter.rpcSync(Counter::get));
                        assertEquals(7, counter.rpcSync(Counter::add, 1, 2));
                        assertEquals(10, counter.rpcAsync(Counter::add, 3, 1).join());
                        counter.runSync(Counter::set, 20);
                        assertEquals(20, counter.rpcSync(Counter::get));
                        counter.runAsync(Counter::reset).join();
                        assertEquals(0, counter.rpcSync(Counter::get));
                        assertTrue(counter.rpcSync(Counter::isAt, 0));
                    }
                });
    }

    @Test
    void argumentsArePositionalForAForwardingFunction() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    RRef<Counter> counter = rpc.rref(new Counter(0));
                    var add = Call.to(Counter::add);
                    assertEquals(
                            List.of(4, 1), RemoteFunctions.positional(add.args(4), counter).args());
                    Call<Integer> named =
                            RemoteFunctions.positional(add.args(2).kwarg("times", 3), counter);
                    assertEquals(List.of(2, 3), named.args());
                    assertEquals(Map.of(), named.kwargs());
                    assertEquals(6, counter.rpcSync(named));
                    assertEquals(
                            List.of(5),
                            RemoteFunctions.positional(Call.to(Counter::new).args(5)).args());
                    var e =
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () -> RemoteFunctions.positional(add.args(1, 2, 3), counter));
                    assertTrue(
                            String.valueOf(e.getMessage()).contains("expected at most 3 argument"),
                            e.getMessage());
                });
    }

    @Test
    void keywordsAndDefaultsWorkAsInOtherCalls() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 0)) {
                        assertEquals(4, counter.rpcSync(Call.to(Counter::add).args(4)));
                        assertEquals(
                                10,
                                counter.rpcSync(Call.to(Counter::add).args(2).kwarg("times", 3)));
                        var e =
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> counter.rpcSync(Call.to(Counter::add).args("four")));
                        assertTrue(
                                String.valueOf(e.getMessage())
                                        .contains("Expected a value of type 'int'"),
                                e::getMessage);
                    }
                });
    }

    @Test
    void resultsMayStayOnTheOwner() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 1);
                            RRef<Counter> same = counter.remote(Counter::self);
                            RRef<Integer> sum = same.remote(Counter::add, 41, 1)) {
                        assertEquals("worker1", same.owner().name());
                        assertEquals(42, sum.toHere());
                        assertEquals(42, counter.rpcSync(Counter::get));
                    }
                });
    }

    @Test
    void asynchronousMethodsAreAwaitedOnTheOwner() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 0)) {
                        assertEquals(
                                9,
                                counter.rpcSync(
                                        RpcFunction.async(Counter::addSquare), "worker2", 3));
                        try (RRef<Integer> later =
                                counter.remote(
                                        RpcFunction.async(Counter::addSquare), "worker2", 4)) {
                            assertEquals(25, later.toHere());
                        }
                    }
                });
    }

    @Test
    void forwardedReferenceCallsTheSameObject() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 1)) {
                        assertEquals(2, rpc.rpcSync("worker2", Numbers::increment, counter));
                        assertEquals(2, counter.rpcSync(Counter::get));
                    }
                });
    }

    @Test
    void failuresOfMethodAndOfCreationReachTheCaller() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 0);
                            RRef<Counter> none = rpc.remote("worker1", Counter::new, -1)) {
                        var e =
                                assertThrows(
                                        RuntimeException.class,
                                        () -> counter.rpcSync(Counter::fail));
                        assertTrue(
                                String.valueOf(e.getMessage()).contains("out of order"),
                                e::getMessage);
                        var made =
                                assertThrows(
                                        RuntimeException.class, () -> none.rpcSync(Counter::get));
                        assertTrue(
                                String.valueOf(made.getMessage()).contains("cannot start at -1"),
                                made::getMessage);
                    }
                });
    }

    /** Uses simulated time, in which no garbage collection releases the references. */
    @Test
    void referencesOfACallThatCannotRunAreReleased() throws Exception {
        try (var group = new SimulatedGroup(3, 1, Map.of())) {
            Rpc rpc = group.get(0);
            try (RRef<Counter> none = rpc.remote("worker1", Counter::new, -1);
                    RRef<Counter> counter = rpc.remote("worker1", Counter::new, 20);
                    RRef<Counter> other = rpc.remote("worker2", Counter::new, 22)) {
                assertEquals(42, counter.rpcSync(Counter::addOther, other));
                assertThrows(RuntimeException.class, () -> none.rpcSync(Counter::addOther, other));
            }
            group.pass(Duration.ofMinutes(1));
            assertEquals("0", group.get(2).debugInfo().get("num_owner_rrefs"));
        }
    }

    @Test
    void valueOfAnotherTypeIsRefusedByItsOwner() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<?> number = rpc.remote("worker1", Numbers::add, 1, 2)) {
                        var e =
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> number.rpcSync(Call.to(Counter::get)));
                        assertTrue(
                                String.valueOf(e.getMessage())
                                        .contains("Expected a value of type 'Counter'"),
                                e::getMessage);
                    }
                });
    }

    @Test
    void functionsThatAreNotMethodsAreRefusedImmediately() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 0)) {
                        var own = new Counter(3);
                        for (Call<?> call : List.of(Call.to(own::get), Call.to(Numbers::zero))) {
                            var e =
                                    assertThrows(
                                            IllegalArgumentException.class,
                                            () -> counter.rpcAsync(call));
                            assertTrue(
                                    String.valueOf(e.getMessage())
                                            .contains("is not a method of the value"),
                                    e::getMessage);
                        }
                    }
                });
    }

    @Test
    void closedReferencesAndTimeouts() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    RRef<Counter> counter = rpc.remote("worker1", Counter::new, 0);
                    assertThrows(
                            RpcTimeoutException.class,
                            () ->
                                    counter.withTimeout(Duration.ofMillis(50))
                                            .rpcSync(Counter::await, 7));
                    counter.runSync(Counter::set, 7); // ends the timed-out call, which still runs
                    assertEquals(7, counter.withoutTimeout().rpcSync(Counter::get));
                    counter.close();
                    var e = assertThrows(RpcException.class, () -> counter.rpcAsync(Counter::get));
                    assertTrue(e.getMessage().contains("has been deleted"), e::getMessage);
                });
    }
}
