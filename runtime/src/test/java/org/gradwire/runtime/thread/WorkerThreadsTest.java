package org.gradwire.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.Rpc;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Threads that poll after their work, or stop while others are parked. */
class WorkerThreadsTest {
    private final List<String> calls = new CopyOnWriteArrayList<>(); // of the agent
    private final InFlightCounter outgoing = new InFlightCounter();
    private final WorkerThreads threads = new WorkerThreads("worker0", 4, outgoing, null);

    @BeforeEach
    void connect() {
        threads.connect(recorded(Rpc.class), recorded(RpcAgent.class), UnaryOperator.identity());
    }

    private <T> T recorded(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> {
                            calls.add(method.getName());
                            return method.getReturnType() == int.class
                                    ? -1
                                    : null; // no work: polling ends
                        }));
    }

    @Test
    void aThreadPollsAfterAFunction() throws InterruptedException {
        assertEquals(List.of("endPolling"), callsAfter(threads::execute));
    }

    @Test
    void aThreadEndsAfterACallbackWithoutCallsInFlight() throws InterruptedException {
        assertEquals(List.of(), callsAfter(threads.callbacks()::execute));
        assertEquals(0, outgoing.count());
    }

    @Test
    void aThreadPollsAfterACallbackWhileACallIsInFlight() throws InterruptedException {
        outgoing.begin();
        assertEquals(List.of("endPolling"), callsAfter(threads.callbacks()::execute));
    }

    /** {@return the ends of polling of the thread of an empty task, until it has ended} */
    private List<String> callsAfter(Consumer<Runnable> start) throws InterruptedException {
        var thread = new CompletableFuture<Thread>();
        start.accept(() -> thread.complete(Thread.currentThread()));
        thread.join().join();
        return calls.stream().filter("endPolling"::equals).toList();
    }

    @Test
    void aThreadLingersWhileNoOtherIsParked() {
        threads.linger();
        assertEquals(List.of("linger"), calls);
    }

    @Test
    void noThreadLingersWhileAnotherIsParked() {
        threads.beginWait();
        threads.linger();
        assertEquals(List.of("endPolling"), calls);
        threads.endWait();
        threads.linger();
        assertEquals(List.of("endPolling", "linger"), calls);
    }
}
