package org.gradwire.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A thread after its task, with an agent that delivers tasks while it is polled. */
class PollAfterTaskTest {
    private final List<Runnable> elsewhere = new ArrayList<>();
    private final ArrayDeque<Runnable> arriving = new ArrayDeque<>();
    private int ended;
    private int nothing; // the agent's result if nothing arrives
    private final PollAfterTask pollAfterTask = new PollAfterTask(this::poll, () -> ended++);

    private int poll() {
        int count = arriving.size();
        for (Runnable task; (task = arriving.poll()) != null; ) {
            if (!pollAfterTask.offer(task)) {
                elsewhere.add(task);
            }
        }
        return count == 0 ? nothing : count;
    }

    @Test
    void aThreadThatPollsTakesTheFirstTaskAndLeavesTheOthers() {
        Runnable first = () -> {};
        Runnable second = () -> {};
        arriving.addAll(List.of(first, second));
        assertSame(first, pollAfterTask.next());
        assertEquals(List.of(second), elsewhere);
        assertEquals(1, ended);
    }

    @Test
    void whoDoesNotPollTakesNothing() {
        assertFalse(pollAfterTask.offer(() -> {}));
    }

    @Test
    void pollingEndsWhenNothingArrives() {
        assertNull(pollAfterTask.next());
        assertEquals(1, ended);
        assertFalse(pollAfterTask.offer(() -> {}), "it no longer polls");
    }

    @Test
    void anAgentWithoutPollingIsAskedOnce() {
        nothing = -1;
        assertNull(pollAfterTask.next());
        assertEquals(1, ended);
    }

    @Test
    void oneThreadPollsAtATime() {
        var inside = new ArrayList<Boolean>();
        var second = new PollAfterTask[1];
        second[0] =
                new PollAfterTask(
                        () -> {
                            var other = new Thread(() -> inside.add(second[0].next() == null));
                            other.start();
                            join(other);
                            return -1;
                        },
                        () -> ended++);
        assertNull(second[0].next());
        assertEquals(List.of(true), inside);
        assertEquals(1, ended, "only a polling thread ends the polling");
    }

    @Test
    void aTaskOfAnotherThreadIsNotTaken() {
        var taken = new ArrayList<Boolean>();
        var one = new PollAfterTask[1];
        one[0] =
                new PollAfterTask(
                        () -> {
                            var other = new Thread(() -> taken.add(one[0].offer(() -> {})));
                            other.start();
                            join(other);
                            return -1;
                        },
                        () -> {});
        assertNull(one[0].next());
        assertEquals(List.of(false), taken);
        assertTrue(elsewhere.isEmpty());
    }

    private static void join(Thread thread) {
        try {
            assertTrue(thread.join(java.time.Duration.ofSeconds(20)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
