package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.RRef;
import org.gradwire.runtime.tests.functions.Counter;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;
import java.util.Set;

/** A group three times as large as those with which PyTorch fails on one machine. */
@Timeout(60)
class ManyWorkersTest {
    private static final int SIZE = 64;

    @Test
    void sixtyFourWorkersCallEachOther() throws Exception {
        InprocGroup.run(
                SIZE,
                rpc -> {
                    int id = rpc.self().id();
                    Map<String, Integer> ids = rpc.allGather(id, Set.of());
                    assertEquals(SIZE, ids.size());
                    int sum = 0;
                    for (String worker : ids.keySet()) {
                        sum += rpc.rpcSync(worker, Numbers::add, id, ids.get(worker));
                    }
                    assertEquals(SIZE * id + SIZE * (SIZE - 1) / 2, sum);
                    String next = rpc.worker((id + 1) % SIZE).name();
                    String afterNext = rpc.worker((id + 2) % SIZE).name();
                    try (RRef<Counter> counter = rpc.remote(next, Counter::new, id)) {
                        assertEquals(id + 1, rpc.rpcSync(afterNext, Numbers::increment, counter));
                        assertEquals(id + 1, counter.rpcSync(Counter::get));
                    }
                    rpc.barrier();
                });
    }
}
