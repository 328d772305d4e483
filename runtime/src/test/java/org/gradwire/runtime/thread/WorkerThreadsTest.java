package org.gradwire.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.Rpc;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Threads that stop polling, with others that are parked or not. */
class WorkerThreadsTest {
    private final List<String> calls = new ArrayList<>(); // of the agent
    private final WorkerThreads threads =
            new WorkerThreads("worker0", 4, new InFlightCounter(), null);

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
                            return null;
                        }));
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
