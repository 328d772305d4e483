package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicBoolean;

/** Other threads poll while few calls are in flight, and the poller stands by as long. */
@Timeout(60)
class PollerPolicyTest {
    private static final ReplyHandler IGNORED =
            new ReplyHandler() {
                @Override
                public void onReply(Message reply) {}

                @Override
                public void onFailure(RuntimeException failure) {}
            };

    private final PendingCalls pending = new PendingCalls(System.nanoTime());

    private void addPending(int count) {
        for (int i = 0; i < count; i++) {
            pending.add(1, 0, System.nanoTime(), IGNORED);
        }
    }

    @Test
    void threadsPollWhileFewCallsArePending() {
        var policy = new PollerPolicy(pending, Thread.currentThread());
        addPending(4);
        assertFalse(policy.isPolled());
        assertTrue(policy.mayPoll());
        assertTrue(policy.isPolled());
        assertFalse(policy.isPolled(), "not since the last call");
        addPending(1);
        assertFalse(policy.mayPoll());
        assertFalse(policy.isPolled());
        pending.fail(0, new IllegalStateException());
        assertTrue(policy.mayPoll());
    }

    @Test
    void threadsPollWhileMessagesArriveOneByOne() {
        var policy = new PollerPolicy(pending, Thread.currentThread());
        policy.delivered(2);
        assertTrue(policy.mayPoll(), "two messages once do not count as load");
        policy.delivered(1_000_000);
        assertFalse(policy.mayPoll());
        for (int i = 0; i < 32; i++) {
            policy.delivered(1);
        }
        assertTrue(policy.mayPoll());
    }

    @Test
    void onlyThePollerReadsAndWritesLargeMessages() throws Exception {
        PollerPolicy[] created = new PollerPolicy[1];
        var isOver = new AtomicBoolean();
        var poller =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            while (!isOver.get()) {
                                created[0].standBy();
                            }
                        });
        var policy = new PollerPolicy(pending, poller);
        created[0] = policy;
        poller.start();
        while (!policy.mustWrite()) {
            assertTrue(policy.mayPoll());
        }
        policy.beginTransfer();
        assertFalse(policy.mayPoll());
        assertFalse(policy.mustWrite());
        isOver.set(true);
        poller.join();
        policy.beginTransfer();
        policy.endTransfer();
        assertFalse(policy.mayPoll(), "another one is being read or written");
        policy.endTransfer();
        assertTrue(policy.mayPoll());
    }

    @Test
    void aPollerThatRunsTheLoopWritesForOthers() {
        assertFalse(new PollerPolicy(pending, Thread.currentThread()).mustWrite());
    }

    @Test
    void thePollerReturnsWhenNoOtherThreadPolls() throws Exception {
        PollerPolicy[] created = new PollerPolicy[1];
        var poller = Thread.ofPlatform().unstarted(() -> created[0].standBy());
        var policy = new PollerPolicy(pending, poller);
        created[0] = policy;
        poller.start();
        poller.join();
        assertFalse(policy.mustWrite());
    }

    @Test
    void thePollerReturnsWhenManyCallsAreInFlight() throws Exception {
        PollerPolicy[] created = new PollerPolicy[1];
        var poller =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            while (pending.size() == 0) {
                                created[0].standBy();
                            }
                        });
        var policy = new PollerPolicy(pending, poller);
        created[0] = policy;
        poller.start();
        while (!policy.mustWrite()) {
            assertTrue(policy.mayPoll());
        }
        addPending(5);
        while (poller.isAlive()) {
            assertFalse(policy.mustWrite());
            assertFalse(policy.mayPoll());
        }
        poller.join();
    }
}
