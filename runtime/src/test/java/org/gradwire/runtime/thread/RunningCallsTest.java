package org.gradwire.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Limits of running calls, of one peer and of all; the test holds the launched ones. */
class RunningCallsTest {
    private static final int LIMIT = 16;
    private static final int LIMIT_OF_PEER = 14;

    private final ArrayDeque<Runnable> launched = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final RunningCalls calls = new RunningCalls(launched::add, LIMIT);

    private void start(int peer, int count) {
        for (int i = 0; i < count; i++) {
            String name = peer + "/" + i;
            calls.start(peer, () -> ran.add(name));
        }
    }

    private void end(int count) {
        for (int i = 0; i < count; i++) {
            launched.remove().run();
        }
    }

    @Test
    void onePeerLeavesRoomForOthers() {
        start(1, 100);
        assertEquals(LIMIT_OF_PEER, launched.size());
        assertEquals(100 - LIMIT_OF_PEER, calls.waiting());
        start(2, 1);
        assertEquals(LIMIT_OF_PEER + 1, launched.size());
        start(3, 3);
        assertEquals(LIMIT, launched.size());
        assertEquals("0", calls.debugInfo().get("agent.num_idle_threads"));
    }

    @Test
    void peersTakeTurnsAndAllCallsRunInTheirOrder() {
        start(1, 30);
        start(2, 3);
        end(33);
        assertEquals(0, launched.size());
        assertEquals(0, calls.waiting());
        assertEquals(33, ran.size());
        for (int peer = 1; peer <= 2; peer++) {
            String prefix = peer + "/";
            List<String> own = ran.stream().filter(name -> name.startsWith(prefix)).toList();
            List<String> inOrder = new ArrayList<>();
            for (int i = 0; i < own.size(); i++) {
                inOrder.add(prefix + i);
            }
            assertEquals(inOrder, own);
        }
        // The one of peer 2 that found no room did not wait for all of peer 1.
        assertTrue(ran.indexOf("2/2") < ran.indexOf("1/29"), ran::toString);
    }

    @Test
    void aCallThatWaitsMakesRoom() {
        var few = new RunningCalls(launched::add, 1);
        few.start(
                1,
                () -> {
                    few.beginWait();
                    assertEquals(1, launched.size(), "the next call did not start");
                    few.endWait();
                    ran.add("first");
                });
        few.start(1, () -> ran.add("second"));
        few.start(2, () -> ran.add("third"));
        assertEquals(2, few.waiting());
        end(3);
        assertEquals(List.of("first", "second", "third"), ran);
        assertEquals(0, few.waiting());
        assertEquals("1", few.debugInfo().get("agent.num_idle_threads"));
        assertFalse(few.counts());
    }
}
