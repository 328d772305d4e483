package org.gradwire.runtime.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.future.FutureHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Calls to a peer whose window is full. */
@Timeout(60)
class PeerFlowTest {
    private static final long LIMIT = 1_000;

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());

    private final FutureHost host =
            new FutureHost() {
                @Override
                public int poll() {
                    return 0;
                }

                @Override
                public boolean pause(long idleNanos, long mostNanos) {
                    return false;
                }

                @Override
                public void endPolling() {
                    events.add("end polling");
                }

                @Override
                public Executor callbacks() {
                    return Runnable::run;
                }

                @Override
                public void beginWait() {
                    events.add("begin");
                }

                @Override
                public void endWait() {
                    events.add("end");
                }
            };

    private final PeerFlow flow = new PeerFlow(LIMIT, host, reply -> reply.accept(-1));

    @Test
    void aCallWithRoomDoesNotWait() {
        assertEquals(0, flow.enter(LIMIT, 0));
        assertEquals(1, flow.callCount());
        flow.leave(LIMIT);
        assertEquals(0, flow.callCount());
        assertEquals(List.of(), events);
    }

    /** No message that makes room may wait for a thread that lingers. */
    @Test
    void aCallWithoutRoomEndsThePollingOfTheWorkerAndWaits() {
        flow.enter(LIMIT, 0);
        CompletableFuture<Long> second = CompletableFuture.supplyAsync(() -> flow.enter(1, 0));
        while (flow.callCount() < 2) {
            Thread.onSpinWait();
        }
        flow.leave(LIMIT);
        assertEquals(0, second.join());
        assertEquals(List.of("begin", "end polling", "end"), events);
        assertEquals(1, flow.callCount());
    }

    @Test
    void aCallThatFindsNoRoomInTimeIsNotCounted() {
        flow.enter(LIMIT, 0);
        assertThrows(
                RpcTimeoutException.class, () -> flow.enter(1, TimeUnit.MILLISECONDS.toNanos(5)));
        assertEquals(List.of("begin", "end polling", "end"), events);
        assertEquals(1, flow.callCount());
    }
}
