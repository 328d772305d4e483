package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A future of the values of several futures. */
@Timeout(60)
class CollectAllTest {

    @Test
    void valuesAreInTheOrderOfTheFutures() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    List<RpcFuture<Integer>> calls = new ArrayList<>();
                    List<Integer> squares = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        calls.add(rpc.rpcAsync("worker1", Numbers::square, i));
                        squares.add(i * i);
                    }
                    assertEquals(squares, rpc.collectAll(calls).join());
                });
    }

    @Test
    void emptyListAndNullAreAccepted() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    assertEquals(List.of(), rpc.collectAll(List.of()).join());
                    RpcPromise<String> promise = rpc.promise();
                    promise.complete("a");
                    RpcPromise<String> other = rpc.promise();
                    var both = rpc.collectAll(List.of(other, promise));
                    assertFalse(both.isDone());
                    other.complete("b");
                    assertEquals(Arrays.asList("b", "a"), both.join());
                });
    }

    @Test
    void firstFailureEndsIt() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    RpcPromise<String> open = rpc.promise();
                    RpcPromise<String> failing = rpc.promise();
                    RpcPromise<String> later = rpc.promise();
                    var all = rpc.collectAll(List.of(open, failing, later));
                    var failure = new IllegalStateException("first");
                    failing.fail(failure);
                    assertEquals(
                            "first",
                            assertThrows(IllegalStateException.class, all::join).getMessage());
                    later.fail(new IllegalStateException("second"));
                    open.complete("late");
                    assertEquals(
                            "first",
                            assertThrows(IllegalStateException.class, all::join).getMessage());
                });
    }
}
