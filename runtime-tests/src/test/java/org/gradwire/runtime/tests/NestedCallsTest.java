package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;

/** Nested calls, far more than the limit of running ones. */
@Timeout(60)
class NestedCallsTest {

    @Test
    void tenThousandCallsWaitForEachOther() throws Exception {
        InprocGroup.run(
                3,
                Map.of("gradwire.max-running-calls", "2"),
                rpc -> {
                    if (rpc.self().id() == 0) {
                        assertEquals("2", rpc.debugInfo().get("agent.thread_pool_size"));
                        assertEquals(
                                (1 + 10_000) % 3,
                                rpc.rpcSync("worker1", Numbers::countDown, 10_000));
                    }
                });
    }
}
