package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is said of references that a program forgot to close. */
@Timeout(60)
class LeakReportTest {
    private static final Map<String, String> ASKED =
            Map.of("gradwire.rref-creation-sites", "true", "gradwire.fail-on-rref-leak", "true");

    @Test
    void theOwnerNamesTheHolderTheTypeAndTheLine() throws Exception {
        var shared = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        InprocGroup.run(
                2,
                ASKED,
                rpc -> {
                    if (rpc.self().id() == 1) {
                        shared.await(30, TimeUnit.SECONDS);
                        ended.await(30, TimeUnit.SECONDS);
                        rpc.shutdownNow();
                        return;
                    }
                    RRef<String> value = rpc.rref("text");
                    rpc.runSync("worker1", Numbers::keep, value);
                    shared.countDown();
                    String text =
                            String.valueOf(
                                    assertThrows(RpcException.class, rpc::shutdownNow)
                                            .getMessage());
                    ended.countDown();
                    assertTrue(text.contains("Leaking RRef GloballyUniqueId(created_on=0"), text);
                    assertTrue(text.contains("(a String used by worker 1, made at "), text);
                    assertTrue(text.contains("LeakReportTest.java:"), text);
                });
    }

    @Test
    void theUserNamesTheLine() throws Exception {
        List<String> messages = new CopyOnWriteArrayList<>();
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord record) {
                        messages.add(new SimpleFormatter().formatMessage(record));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger logger = Logger.getLogger("org.gradwire.rref");
        logger.addHandler(handler);
        try {
            InprocGroup.runFirst(
                    2,
                    ASKED,
                    rpc -> {
                        RRef<Integer> open = rpc.remote("worker1", Numbers::square, 3);
                        try (RRef<Integer> closed = rpc.remote("worker1", Numbers::square, 4)) {
                            assertEquals(16, closed.toHere());
                        }
                        try {
                            assertEquals(9, open.toHere());
                            rpc.shutdown();
                        } finally {
                            Reference.reachabilityFence(open);
                        }
                    });
        } finally {
            logger.removeHandler(handler);
        }
        List<String> reports =
                messages.stream().filter(text -> text.contains("was never closed")).toList();
        assertEquals(1, reports.size(), messages::toString);
        assertTrue(reports.getFirst().contains("made at "), reports::toString);
        assertTrue(reports.getFirst().contains("LeakReportTest.java:"), reports::toString);
    }
}
