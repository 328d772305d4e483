package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class StaticGroupTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TestStores stores = new TestStores();

    private StaticGroup member(int rank) {
        var store = stores.open("inproc://group", rank, 2, StoreSecurity.withToken(""), TIMEOUT);
        return new StaticGroup(new WorkerInfo(rank, "worker" + rank), 2, store, TIMEOUT);
    }

    @Test
    void whoPassedTheBarrierAndLeftAtOnceIsNotMissed() {
        StaticGroup first = member(0);
        StaticGroup second = member(1);
        assertTrue(first.barrier("end", () -> second.barrier("end", () -> false)));
    }

    @Test
    void theBarrierIsGivenUpWhenNobodyComes() {
        assertFalse(member(0).barrier("end", () -> true));
    }
}
