package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Received;
import org.gradwire.runtime.tests.functions.Received.Box;
import org.gradwire.runtime.tests.functions.Received.Keeper;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Release of reference arguments at the end of their function. The functions keep the handles
 * reachable, so that no collection releases them.
 */
@Timeout(60)
class ReceivedReferencesTest {
    private final InprocWorkers group = new InprocWorkers(3);
    private final Rpc rpc = group.get(0);
    private final Rpc owner = group.get(2);

    @AfterEach
    void close() {
        group.close();
    }

    /** {@return a reference to a number on worker2} */
    private RRef<Integer> number(int value) {
        return rpc.remote("worker2", Numbers::square, value);
    }

    private void awaitOnePromise() {
        var _ =
                Metrics.await(
                        () -> rpc.rpcSync("worker1", Received::waitingPromises),
                        count -> count == 1);
    }

    private void assertNothingIsLeft() {
        for (int rank = 0; rank < 3; rank++) {
            Metrics.awaitNothingOwned(group.get(rank));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1", "worker2"})
    void anArgumentIsGivenUp(String callee) {
        try (RRef<Integer> number = number(3)) {
            for (int i = 0; i < 50; i++) {
                assertEquals(9, rpc.rpcSync(callee, Received::read, number));
            }
            Metrics.await(owner, "num_forks", 1);
            assertEquals(1, Metrics.of(owner, "num_owner_rrefs"));
        }
        assertNothingIsLeft();
    }

    @Test
    void referenceToAValueOfTheCallerIsReleased() {
        try (RRef<Integer> mine = rpc.rref(5)) {
            assertEquals(5, rpc.rpcSync("worker1", Received::read, mine));
            Metrics.awaitNothingOwned(rpc);
            assertEquals(5, rpc.rpcSync("worker1", Received::read, mine));
        }
        assertNothingIsLeft();
    }

    @Test
    void nestedArgumentsAreReleased() {
        try (RRef<Integer> number = number(3)) {
            assertEquals(9, rpc.rpcSync("worker1", Received::readBox, new Box(number)));
            assertEquals(
                    27,
                    rpc.rpcSync(
                            "worker1",
                            Received::readAll,
                            List.of(number),
                            Map.of("key", number),
                            Optional.of(new Box(number))));
            assertEquals(
                    9, rpc.rpcSync("worker1", Call.to(Received::read).kwarg("number", number)));
        }
        assertNothingIsLeft();
    }

    @Test
    void remoteModuleArgumentIsReleased() {
        try (var linear = RemoteModule.create(rpc, "worker2", Linear::new, 2, 1, 1L)) {
            Tensor input = Tensor.ones(1, 2);
            Tensor expected = linear.forward(Linear::forward, input);
            Tensor output = rpc.rpcSync("worker1", Received::callModule, linear, input);
            assertEquals(expected.item(), output.item());
        }
        assertNothingIsLeft();
    }

    @Test
    void argumentsOfAFailedFunctionAreReleased() {
        try (RRef<Integer> number = number(3)) {
            assertThrows(
                    RuntimeException.class, () -> rpc.rpcSync("worker1", Received::fail, number));
            try (RRef<Integer> failed = rpc.remote("worker1", Received::fail, number)) {
                assertThrows(RuntimeException.class, failed::toHere);
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void retainedReferenceStaysUntilItIsClosed() {
        try (RRef<Integer> number = number(3)) {
            rpc.runSync("worker1", Received::retain, number);
        }
        Metrics.await(owner, "num_forks", 1);
        assertEquals(9, rpc.rpcSync("worker1", Received::readRetained));
        rpc.runSync("worker1", Received::closeRetained);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker1", "worker2"})
    void usingItAfterItsCallSaysWhatToDo(String callee) {
        try (RRef<Integer> number = number(3)) {
            var _ = rpc.rpcSync(callee, Received::read, number);
            // It is released after the reply.
            String text =
                    Metrics.await(
                            () -> rpc.rpcSync(callee, Received::useAfterwards),
                            said -> said.contains("has been deleted"));
            assertTrue(text.contains("It was an argument of a call"), text);
            assertTrue(text.contains("retain()"), text);
        }
    }

    @Test
    void closedReferenceCannotBeRetained() {
        RRef<Integer> number = number(3);
        assertEquals(number, number.retain());
        number.close();
        var e = assertThrows(RpcException.class, number::retain);
        assertTrue(e.getMessage().contains("can no longer be retained"), e::getMessage);
    }

    @Test
    void returnedReferenceIsTheCallers() {
        RRef<Integer> number = number(3);
        try (RRef<Integer> back = rpc.rpcSync("worker1", Received::giveBack, number);
                RRef<Integer> boxed =
                        rpc.rpcSync("worker1", Received::giveBoxBack, number).number()) {
            number.close();
            Metrics.await(owner, "num_forks", 2);
            assertEquals(9, back.toHere());
            assertEquals(9, boxed.toHere());
        }
        assertNothingIsLeft();
    }

    @Test
    void forwardedReferenceReachesItsReceiverAfterTheCallHasEnded() {
        for (int i = 0; i < 50; i++) {
            try (RRef<Integer> number = number(3)) {
                rpc.runSync(
                        "worker1",
                        Received::passOn,
                        number,
                        List.of("worker0", "worker2", "worker1"));
            }
        }
        var _ =
                Metrics.await(
                        () -> rpc.rpcSync("worker1", Received::retainedCount),
                        count -> count == 50);
        assertEquals(50 * 9, rpc.rpcSync("worker1", Received::readRetained));
        Metrics.await(owner, "num_forks", 50);
        rpc.runSync("worker1", Received::closeRetained);
        assertNothingIsLeft();
    }

    @Test
    void asynchronousFunctionKeepsItUntilItsFutureCompletes() {
        RRef<Integer> number = number(3);
        RpcFuture<Integer> later =
                rpc.rpcAsync("worker1", RpcFunction.async(Received::later), number);
        awaitOnePromise();
        number.close();
        Metrics.await(owner, "num_forks", 1);
        rpc.runSync("worker1", Received::completeAll, 100);
        assertEquals(109, later.join());
        assertNothingIsLeft();
    }

    @Test
    void cancelledAsynchronousFunctionReleasesIt() {
        try (RRef<Integer> number = number(3)) {
            RpcFuture<Integer> later =
                    rpc.rpcAsync("worker1", RpcFunction.async(Received::later), number);
            awaitOnePromise();
            assertTrue(later.cancel());
        }
        assertNothingIsLeft();
    }

    // ---- values that stay on the callee

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1", "worker2"})
    void resultThatStaysKeepsItsReferences(String callee) {
        RRef<Integer> number = number(3);
        try (RRef<Box> box = rpc.remote(callee, Received::giveBoxBack, number);
                RRef<RRef<Integer>> back = rpc.remote(callee, Received::giveBack, number)) {
            box.confirmation().join();
            back.confirmation().join();
            number.close();
            try (RRef<Integer> fetched = back.toHere()) {
                assertEquals(9, fetched.toHere());
            }
            if (!box.isOwner()) {
                try (RRef<Integer> fetched = box.toHere().number()) {
                    assertEquals(9, fetched.toHere());
                }
            }
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1", "worker2"})
    void anObjectThatStaysKeepsWhatItWasMadeOf(String callee) {
        RRef<Integer> number = number(3);
        try (RRef<Keeper> keeper = rpc.remote(callee, Keeper::new, number)) {
            keeper.confirmation().join();
            number.close();
            for (int i = 0; i < 3; i++) {
                assertEquals(9, keeper.rpcSync(Keeper::read));
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void moduleCreatedFromAReferenceKeepsIt() {
        RRef<Integer> number = number(3);
        try (var keeper = RemoteModule.create(rpc, "worker1", Keeper::new, number)) {
            keeper.moduleRRef().confirmation().join();
            number.close();
            assertEquals(9, keeper.forward(Keeper::read));
        }
        assertNothingIsLeft();
    }

    @Test
    void valueKeptByTheFunctionKeepsIt() {
        RRef<Integer> number = number(3);
        RRef<Keeper> keeper = rpc.rpcSync("worker1", Received::keeperOf, number);
        number.close();
        assertEquals(9, keeper.rpcSync(Keeper::read));
        Metrics.await(owner, "num_forks", 1);
        keeper.close();
        assertNothingIsLeft();
    }

    @Test
    void valueKeptByTheFunctionReleasesItWhenItsHandleIsCollected() {
        RRef<Integer> number = number(3);
        assertEquals(9, readKeeperAndForgetIt(number));
        number.close();
        var _ =
                Metrics.await(
                        () -> {
                            System.gc();
                            return Metrics.of(owner, "num_forks");
                        },
                        forks -> forks == 0);
        assertNothingIsLeft();
    }

    private int readKeeperAndForgetIt(RRef<Integer> number) {
        RRef<Keeper> keeper = rpc.rpcSync("worker1", Received::keeperOf, number);
        return keeper.rpcSync(Keeper::read);
    }

    @Test
    void methodOfAValueHasItsReferencesToTheEnd() {
        RRef<Integer> number = number(3);
        RRef<Keeper> keeper = rpc.remote("worker1", Keeper::new, number);
        number.close();
        RpcFuture<Integer> read = keeper.rpcAsync(Keeper::read);
        keeper.close();
        assertEquals(9, read.join());
        assertNothingIsLeft();
    }

    @Test
    void numberThatStaysKeepsNoReference() {
        RRef<Integer> number = number(3);
        try (RRef<Integer> read = rpc.remote("worker1", Received::read, number)) {
            assertEquals(9, read.toHere());
            number.close();
            Metrics.awaitNothingOwned(owner);
            assertEquals(9, read.toHere());
        }
        assertNothingIsLeft();
    }

    @Test
    void chainOfResultsDoesNotGrow() {
        RRef<Integer> last = rpc.remote("worker1", Numbers::square, 1);
        for (int i = 0; i < 100; i++) {
            RRef<Integer> next = rpc.remote("worker2", Received::read, last);
            assertEquals(1, next.toHere());
            last.close();
            last = next;
        }
        Metrics.awaitNothingOwned(group.get(1));
        Metrics.await(owner, "num_forks", 1);
        last.close();
        assertNothingIsLeft();
    }

    /** The pipeline of page 6 of the guide; the inputs of its stages stay reachable. */
    @Test
    @Timeout(300)
    void tenThousandMicroBatchesOfAPipelineLeaveNoReference() {
        try (var first = RemoteModule.create(rpc, "worker1", Received.Stage::new, 2, 1L);
                var second = RemoteModule.create(rpc, "worker2", Received.Stage::new, 2, 2L)) {
            for (int batch = 0; batch < 100; batch++) {
                List<RpcFuture<Tensor>> outputs = new ArrayList<>();
                for (int micro = 0; micro < 100; micro++) {
                    RRef<Tensor> input = rpc.rref(Tensor.ones(1, 2));
                    RRef<Tensor> hidden = first.moduleRRef().remote(Received.Stage::forward, input);
                    RpcFuture<Tensor> output =
                            second.moduleRRef().rpcAsync(Received.Stage::forward, hidden);
                    outputs.add(output.whenDone(input::close).whenDone(hidden::close));
                }
                assertEquals(100, rpc.collectAll(outputs).join().size());
                Metrics.awaitNothingOwned(rpc);
                for (int rank = 1; rank < 3; rank++) { // the fork of the stage remains
                    Metrics.await(group.get(rank), "num_forks", 1);
                    assertEquals(1, Metrics.of(group.get(rank), "num_owner_rrefs"));
                }
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void functionOfATimedOutCallStillHasItsArguments() {
        try (RRef<Integer> number = number(3)) {
            RpcFuture<Integer> later =
                    rpc.withTimeout(Duration.ofSeconds(1))
                            .rpcAsync("worker1", RpcFunction.async(Received::later), number);
            awaitOnePromise();
            assertThrows(RpcTimeoutException.class, later::join);
            rpc.runSync("worker1", Received::completeAll, 1);
            List<String> ends =
                    Metrics.await(
                            () -> rpc.rpcSync("worker1", Received::endsOfLater),
                            seen -> !seen.isEmpty());
            assertEquals(List.of("sum 10"), ends);
        }
        assertNothingIsLeft();
    }
}
