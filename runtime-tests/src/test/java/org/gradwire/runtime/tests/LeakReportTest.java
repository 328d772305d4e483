package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Parameters;
import org.gradwire.runtime.tests.functions.Received;
import org.gradwire.runtime.tests.functions.Received.Keeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Reports of references that a program did not close. */
@Timeout(60)
class LeakReportTest {
    private final List<Object> open = new ArrayList<>();

    private static final Map<String, String> ASKED =
            Map.of("gradwire.rref-creation-sites", "true", "gradwire.fail-on-rref-leak", "true");

    @Test
    void ownerReportsUserTypeAndCreationSite() throws Exception {
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
    void unclosedReferencesAreReportedByDefault() throws Exception {
        String report =
                reportOf(
                        Map.of(),
                        rpc -> {
                            for (int i = 0; i < 3; i++) {
                                leaveOpen(rpc.remote("worker1", Numbers::square, i));
                            }
                            leaveOpen(rpc.rpcSync("worker1", Parameters::reference));
                            try (RRef<Integer> closed = rpc.remote("worker1", Numbers::square, 4)) {
                                assertEquals(16, closed.toHere());
                            }
                        });
        assertTrue(report.contains("worker0): 4 references were never closed"), report);
        assertTrue(report.contains("\n  3 of type int, owned by worker1\n"), report);
        assertTrue(report.contains("\n  1 of type Tensor, owned by worker1\n"), report);
        assertTrue(report.contains("gradwire.rref-creation-sites=true"), report);
    }

    @Test
    void referencesOfACallOrAValueAreNotReported() throws Exception {
        assertEquals(
                List.of(),
                reports(
                        Map.of(),
                        rpc -> {
                            try (RRef<Integer> number = rpc.remote("worker1", Numbers::square, 3);
                                    RRef<Keeper> keeper =
                                            rpc.remote("worker0", Keeper::new, number)) {
                                assertEquals(9, rpc.rpcSync("worker0", Received::read, number));
                                assertEquals(9, keeper.rpcSync(Keeper::read));
                            }
                        }));
    }

    @Test
    void metricsCountOpenReferences() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of(),
                rpc -> {
                    assertNull(rpc.debugInfo().get("open_references"));
                    try (RRef<Integer> one = rpc.remote("worker1", Numbers::square, 3);
                            RRef<Integer> two = rpc.remote("worker1", Numbers::square, 4)) {
                        assertEquals(25, one.toHere() + two.toHere());
                        assertEquals(
                                "2 of type int, owned by worker1",
                                rpc.debugInfo().get("open_references"));
                    }
                    assertNull(rpc.debugInfo().get("open_references"));
                });
    }

    @Test
    void creationSiteIsReportedIfEnabled() throws Exception {
        String report =
                reportOf(ASKED, rpc -> leaveOpen(rpc.remote("worker1", Numbers::square, 3)));
        assertTrue(report.contains("1 reference was never closed"), report);
        assertTrue(
                report.contains(
                        "1 of type int, owned by worker1, made at org.gradwire.runtime.tests/"),
                report);
        assertTrue(report.contains("(LeakReportTest.java:"), report);
    }

    @Test
    void creationSiteIsInTheProgramAlsoForReferencesOfALibrary() throws Exception {
        String report =
                reportOf(
                        ASKED,
                        rpc -> {
                            var layer = RemoteModule.create(rpc, "worker1", Linear::new, 2, 1, 1L);
                            leaveOpen(layer);
                            leaveOpen(layer.remoteParameters());
                        });
        assertTrue(report.contains("3 references were never closed"), report);
        assertTrue(report.contains("1 of type Module, owned by worker1, made at "), report);
        assertTrue(report.contains("2 of type Tensor, owned by worker1, made at "), report);
        List<String> lines = report.lines().skip(1).toList();
        assertEquals(2, lines.size(), report);
        assertTrue(lines.stream().allMatch(line -> line.contains("(LeakReportTest.java:")), report);
    }

    @Test
    void creationSiteOfAnArgumentIsTheLineThatRetainsIt() throws Exception {
        String report =
                reportOf(
                        ASKED,
                        rpc -> {
                            try (RRef<Integer> number = rpc.remote("worker1", Numbers::square, 3)) {
                                rpc.runSync("worker0", Received::retain, number);
                            }
                        });
        assertTrue(report.contains("made at"), report);
        assertTrue(report.contains("(Received.java:"), report);
    }

    /** Keep a reference open and reachable, so that it is not collected. */
    private void leaveOpen(Object reference) {
        open.add(reference);
    }

    /** {@return the only report of the first of two workers} */
    private static String reportOf(Map<String, String> settings, InprocGroup.Body body)
            throws Exception {
        List<String> reports = reports(settings, body);
        assertEquals(1, reports.size(), reports::toString);
        return reports.getFirst();
    }

    private static List<String> reports(Map<String, String> settings, InprocGroup.Body body)
            throws Exception {
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
            InprocGroup.runFirst(2, settings, body);
        } finally {
            logger.removeHandler(handler);
        }
        return messages.stream().filter(text -> text.contains("never closed")).toList();
    }
}
