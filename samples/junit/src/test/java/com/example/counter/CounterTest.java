package com.example.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.junit.Workers;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.Test;

@GradwireWorkers(3)
class CounterTest {

    @Test
    void countsWhereItLives(Rpc rpc) {
        try (RRef<Counter> counter = rpc.remote("worker2", Counter::new)) {
            assertEquals(2, counter.rpcSync(Counter::add, 2));
            assertEquals(5, counter.rpcSync(Counter::add, 3));
        }
    }

    @Test
    void everyWorkerCallsTheNext(Workers workers) {
        for (int rank = 0; rank < workers.size(); rank++) {
            String next = "worker" + (rank + 1) % workers.size();
            assertEquals(6, workers.get(rank).rpcSync(next, Counter::twice, 3));
        }
    }
}
