package org.gradwire.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** The cancellation of a call whose synchronous caller is interrupted. */
class SyncCallTest {
    private final RpcException failure = new RpcException("the wait ended");
    private int cancellations;

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    /** {@return a future whose join returns or throws as the supplier does} */
    @SuppressWarnings("unchecked") // its value is a text
    private RpcFuture<String> future(Supplier<String> join) {
        return (RpcFuture<String>)
                Proxy.newProxyInstance(
                        RpcFuture.class.getClassLoader(),
                        new Class<?>[] {RpcFuture.class},
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "join" -> join.get();
                                    case "cancel" -> {
                                        cancellations++;
                                        yield true;
                                    }
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private RpcFuture<String> failing() {
        return future(() -> {
            throw failure;
        });
    }

    @Test
    void valueIsReturned() {
        assertEquals("value", SyncCall.join(future(() -> "value")));
        assertEquals(0, cancellations);
    }

    @Test
    void failureOfTheCallIsThrown() {
        RpcFuture<String> call = failing();
        assertSame(failure, assertThrows(RpcException.class, () -> SyncCall.join(call)));
        assertEquals(0, cancellations);
    }

    @Test
    void interruptedWaitCancelsTheCall() {
        RpcFuture<String> call = failing();
        Thread.currentThread().interrupt();
        assertSame(failure, assertThrows(RpcException.class, () -> SyncCall.join(call)));
        assertEquals(1, cancellations);
        assertTrue(Thread.currentThread().isInterrupted());
    }
}
