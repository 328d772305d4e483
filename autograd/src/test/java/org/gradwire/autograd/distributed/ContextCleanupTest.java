package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The log of releases that other workers refuse. */
class ContextCleanupTest {
    private static final long CREATOR = 1L << 48;

    private final WorkerDouble worker = new WorkerDouble();
    private final LogDouble log = new LogDouble();
    private final ContextContainer contexts = new ContextContainer(worker.worker(), log);

    private void release(int number, int... members) {
        ContextState context = contexts.join(new ContextKey(CREATOR + number, number), 1);
        assertNotNull(context);
        for (int member : members) {
            context.addKnownWorker(member);
        }
        ContextCleanup.release(contexts, context);
    }

    @Test
    void textOfAPeerIsEscapedAndLimited() {
        worker.failure = "no\nWARNING: a forged line\u001b[2J";
        for (int i = 1; i <= 50; i++) {
            release(i, 1, 2);
        }
        assertEquals(100, worker.asked.size());
        String text = "no\\u000aWARNING: a forged line\\u001b[2J";
        assertEquals(
                List.of(
                        "INFO: Could not release Dist Autograd Context on node 1: " + text,
                        "INFO: Could not release Dist Autograd Context on node 2: " + text),
                log.lines);
    }
}
