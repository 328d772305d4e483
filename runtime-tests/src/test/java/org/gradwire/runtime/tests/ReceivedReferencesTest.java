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
 * References that came as arguments are given up when the function has ended. The functions hold on
 * to the handles, so no collector helps.
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

    /** Of a number on worker2. */
    private RRef<Integer> number(int value) {
        return rpc.remote("worker2", Numbers::square, value);
    }

    private void awaitOnePromise() {
        var _ =
                Figures.await(
                        () -> rpc.rpcSync("worker1", Received::waitingPromises),
                        count -> count == 1);
    }

    private void assertNothingIsLeft() {
        for (int rank = 0; rank < 3; rank++) {
            Figures.awaitNothingOwned(group.get(rank));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1", "worker2"})
    void anArgumentIsGivenUp(String callee) {
        try (RRef<Integer> number = number(3)) {
            for (int i = 0; i < 50; i++) {
                assertEquals(9, rpc.rpcSync(callee, Received::read, number));
            }
            Figures.await(owner, "num_forks", 1);
            assertEquals(1, Figures.of(owner, "num_owner_rrefs"));
        }
        assertNothingIsLeft();
    }

    @Test
    void aReferenceToAValueOfTheCallerIsGivenUp() {
        try (RRef<Integer> mine = rpc.rref(5)) {
            assertEquals(5, rpc.rpcSync("worker1", Received::read, mine));
            Figures.awaitNothingOwned(rpc);
            assertEquals(5, rpc.rpcSync("worker1", Received::read, mine));
        }
        assertNothingIsLeft();
    }

    @Test
    void argumentsInsideOthersAreGivenUp() {
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
    void aRemoteModuleThatCameIsGivenUp() {
        try (var linear = RemoteModule.create(rpc, "worker2", Linear::new, 2, 1, 1L)) {
            Tensor input = Tensor.ones(1, 2);
            Tensor expected = linear.forward(Linear::forward, input);
            Tensor output = rpc.rpcSync("worker1", Received::callModule, linear, input);
            assertEquals(expected.item(), output.item());
        }
        assertNothingIsLeft();
    }

    @Test
    void argumentsOfAFunctionThatFailsAreGivenUp() {
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
    void aRetainedOneStaysUntilItIsClosed() {
        try (RRef<Integer> number = number(3)) {
            rpc.runSync("worker1", Received::retain, number);
        }
        Figures.await(owner, "num_forks", 1);
        assertEquals(9, rpc.rpcSync("worker1", Received::readRetained));
        rpc.runSync("worker1", Received::closeRetained);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker1", "worker2"})
    void usingItAfterItsCallSaysWhatToDo(String callee) {
        try (RRef<Integer> number = number(3)) {
            var _ = rpc.rpcSync(callee, Received::read, number);
            // It is given up after the reply.
            String text =
                    Figures.await(
                            () -> rpc.rpcSync(callee, Received::useAfterwards),
                            said -> said.contains("has been deleted"));
            assertTrue(text.contains("It came as an argument of a call"), text);
            assertTrue(text.contains("retain()"), text);
        }
    }

    @Test
    void aClosedReferenceCannotBeRetained() {
        RRef<Integer> number = number(3);
        assertEquals(number, number.retain());
        number.close();
        var e = assertThrows(RpcException.class, number::retain);
        assertTrue(e.getMessage().contains("cannot be retained"), e::getMessage);
    }

    @Test
    void aReturnedOneIsTheCallers() {
        RRef<Integer> number = number(3);
        try (RRef<Integer> back = rpc.rpcSync("worker1", Received::giveBack, number);
                RRef<Integer> boxed =
                        rpc.rpcSync("worker1", Received::giveBoxBack, number).number()) {
            number.close();
            Figures.await(owner, "num_forks", 2);
            assertEquals(9, back.toHere());
            assertEquals(9, boxed.toHere());
        }
        assertNothingIsLeft();
    }

    @Test
    void oneThatWasSentOnReachesItsReceiverAfterTheCallHasEnded() {
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
                Figures.await(
                        () -> rpc.rpcSync("worker1", Received::retainedCount),
                        count -> count == 50);
        assertEquals(50 * 9, rpc.rpcSync("worker1", Received::readRetained));
        Figures.await(owner, "num_forks", 50);
        rpc.runSync("worker1", Received::closeRetained);
        assertNothingIsLeft();
    }

    @Test
    void anAsynchronousFunctionHasItUntilItsFutureIsComplete() {
        RRef<Integer> number = number(3);
        RpcFuture<Integer> later =
                rpc.rpcAsync("worker1", RpcFunction.async(Received::later), number);
        awaitOnePromise();
        number.close();
        Figures.await(owner, "num_forks", 1);
        rpc.runSync("worker1", Received::completeAll, 100);
        assertEquals(109, later.join());
        assertNothingIsLeft();
    }

    @Test
    void aCancelledAsynchronousFunctionGivesItUp() {
        try (RRef<Integer> number = number(3)) {
            RpcFuture<Integer> later =
                    rpc.rpcAsync("worker1", RpcFunction.async(Received::later), number);
            awaitOnePromise();
            assertTrue(later.cancel());
        }
        assertNothingIsLeft();
    }

    // ---- values that stay

    @ParameterizedTest
    @ValueSource(strings = {"worker0", "worker1", "worker2"})
    void aResultThatStaysKeepsTheReferencesInIt(String callee) {
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
    void aModuleThatWasMadeOfAReferenceKeepsIt() {
        RRef<Integer> number = number(3);
        try (var keeper = RemoteModule.create(rpc, "worker1", Keeper::new, number)) {
            keeper.moduleRRef().confirmation().join();
            number.close();
            assertEquals(9, keeper.forward(Keeper::read));
        }
        assertNothingIsLeft();
    }

    @Test
    void aValueThatTheFunctionRefersToKeepsIt() {
        RRef<Integer> number = number(3);
        RRef<Keeper> keeper = rpc.rpcSync("worker1", Received::keeperOf, number);
        number.close();
        assertEquals(9, keeper.rpcSync(Keeper::read));
        Figures.await(owner, "num_forks", 1);
        keeper.close();
        assertNothingIsLeft();
    }

    @Test
    void aValueThatTheFunctionRefersToGivesItUpWhenItsHandleIsCollected() {
        RRef<Integer> number = number(3);
        assertEquals(9, readKeeperAndForgetIt(number));
        number.close();
        var _ =
                Figures.await(
                        () -> {
                            System.gc();
                            return Figures.of(owner, "num_forks");
                        },
                        forks -> forks == 0);
        assertNothingIsLeft();
    }

    private int readKeeperAndForgetIt(RRef<Integer> number) {
        RRef<Keeper> keeper = rpc.rpcSync("worker1", Received::keeperOf, number);
        return keeper.rpcSync(Keeper::read);
    }

    @Test
    void aMethodThatRunsOnAValueHasItsReferencesToTheEnd() {
        RRef<Integer> number = number(3);
        RRef<Keeper> keeper = rpc.remote("worker1", Keeper::new, number);
        number.close();
        RpcFuture<Integer> read = keeper.rpcAsync(Keeper::read);
        keeper.close();
        assertEquals(9, read.join());
        assertNothingIsLeft();
    }

    @Test
    void aNumberThatStaysKeepsNothing() {
        RRef<Integer> number = number(3);
        try (RRef<Integer> read = rpc.remote("worker1", Received::read, number)) {
            assertEquals(9, read.toHere());
            number.close();
            Figures.awaitNothingOwned(owner);
            assertEquals(9, read.toHere());
        }
        assertNothingIsLeft();
    }

    @Test
    void aChainOfResultsDoesNotGrow() {
        RRef<Integer> last = rpc.remote("worker1", Numbers::square, 1);
        for (int i = 0; i < 100; i++) {
            RRef<Integer> next = rpc.remote("worker2", Received::read, last);
            assertEquals(1, next.toHere());
            last.close();
            last = next;
        }
        Figures.awaitNothingOwned(group.get(1));
        Figures.await(owner, "num_forks", 1);
        last.close();
        assertNothingIsLeft();
    }

    /** As on page 6 of the guide; the inputs of the stages cannot be collected. */
    @Test
    @Timeout(300)
    void tenThousandMicroBatchesOfAPipelineLeaveNothing() {
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
                assertEquals(100, rpc.waitAll(outputs).size());
                Figures.awaitNothingOwned(rpc);
                for (int rank = 1; rank < 3; rank++) { // but for the stage
                    Figures.await(group.get(rank), "num_forks", 1);
                    assertEquals(1, Figures.of(group.get(rank), "num_owner_rrefs"));
                }
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void theFunctionOfACallThatTimedOutStillHasItsArguments() {
        try (RRef<Integer> number = number(3)) {
            RpcFuture<Integer> later =
                    rpc.withTimeout(Duration.ofSeconds(1))
                            .rpcAsync("worker1", RpcFunction.async(Received::later), number);
            awaitOnePromise();
            assertThrows(RpcTimeoutException.class, later::join);
            rpc.runSync("worker1", Received::completeAll, 1);
            List<String> ends =
                    Figures.await(
                            () -> rpc.rpcSync("worker1", Received::endsOfLater),
                            seen -> !seen.isEmpty());
            assertEquals(List.of("sum 10"), ends);
        }
        assertNothingIsLeft();
    }
}
