package org.gradwire.junit.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.junit.Worker;
import org.gradwire.junit.Workers;
import org.gradwire.junit.tests.functions.Counter;
import org.gradwire.junit.tests.functions.Jobs;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcTimeoutException;
import org.junit.jupiter.api.Test;

/** The tests that the guide shows. */
@GradwireWorkers(3)
class CounterTest {

    @Test
    void countsWhereItIs(Rpc rpc) {
        try (RRef<Counter> counter = rpc.remote("worker1", Counter::new)) {
            assertEquals(2, counter.rpcSync(Counter::add, 2));
            assertEquals(5, counter.rpcSync(Counter::add, 3));
        }
    }

    @Test
    void everyWorkerCallsTheNext(Workers workers) {
        for (int rank = 0; rank < workers.size(); rank++) {
            String next = "worker" + (rank + 1) % workers.size();
            assertEquals(9, workers.get(rank).rpcSync(next, Jobs::square, 3));
        }
    }

    @Test
    @GradwireWorkers(
            value = 2,
            backend = "faulty",
            simulated = true,
            settings = {
                "gradwire.faulty.messages-to-fail=",
                "gradwire.faulty.messages-to-delay=UDF_CALL:10s..20s",
                "gradwire.rpc-timeout=5s"
            })
    void aLateReplyIsATimeout(@Worker(1) Rpc rpc) {
        assertThrows(RpcTimeoutException.class, () -> rpc.rpcSync("worker0", Jobs::square, 3));
    }
}
