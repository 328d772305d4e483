package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records of refusals and of peers in the audit log and in Flight Recorder. */
@Timeout(60)
class AuditLogTest {
    private static final Logger LOG = Logger.getLogger("gradwire.audit");
    private static final String ADD = "org.gradwire.runtime.tests.functions.Numbers.add";
    private static final String PS = "WorkerInfo(id=0, name=ps)";
    private static final String RULES = "*: gradwire::join; trainer: org.x.Other.*";

    @TempDir private Path folder;

    private static final class Lines extends Handler {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        void await(String text) {
            while (lines.stream().noneMatch(line -> line.contains(text))) {
                LockSupport.parkNanos(100_000);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void refusalsAndPeersAreInTheLogAndInFlightRecorder() throws Exception {
        var lines = new Lines();
        LOG.addHandler(lines);
        LOG.setLevel(Level.FINE);
        try (var recording = new Recording()) {
            recording.enable("org.gradwire.PermissionDenied");
            recording.enable("org.gradwire.Membership");
            recording.start();
            String refused = useAPolicy(lines);
            recording.stop();
            assertEquals(
                    "Error on Node 0: permission denied: worker trainer may not use %s here"
                            .formatted(ADD),
                    refused);
            String rules =
                    "the rules of gradwire.allow for the worker permit other actions only: "
                            + RULES;
            assertEquals(
                    List.of(
                            "FINE "
                                    + PS
                                    + ": worker trainer (id 1, inproc, authentication: the same process) has joined",
                            "WARNING %s: permission denied: worker trainer (id 1, inproc) used %s: %s"
                                    .formatted(PS, ADD, rules),
                            "FINE "
                                    + PS
                                    + ": worker trainer (id 1, inproc, authentication: the same process) has left"),
                    lines.lines.stream()
                            .filter(line -> line.contains(PS))
                            .map(line -> line.replaceAll("has left: .*", "has left"))
                            .toList());
            List<RecordedEvent> events = events(recording);
            assertEquals(
                    List.of("ps trainer inproc " + ADD + " " + rules),
                    texts(
                            events,
                            "org.gradwire.PermissionDenied",
                            "worker",
                            "caller",
                            "address",
                            "action",
                            "reason"));
            assertEquals(
                    List.of(
                            "joined trainer inproc the same process",
                            "left trainer inproc the same process"),
                    texts(
                            events.stream()
                                    .filter(event -> event.hasField("change"))
                                    .filter(event -> event.getString("worker").equals("ps"))
                                    .toList(),
                            "org.gradwire.Membership",
                            "change",
                            "peer",
                            "address",
                            "authentication"));
        } finally {
            LOG.setLevel(null);
            LOG.removeHandler(lines);
        }
    }

    private static String useAPolicy(Lines lines) {
        String meeting = "inproc://" + UUID.randomUUID();
        try (Rpc _ = InprocGroup.join(meeting, 0, "ps", Map.of("gradwire.allow", RULES))) {
            String text;
            try (Rpc trainer =
                    InprocGroup.join(meeting, 1, "trainer", Map.of("gradwire.allow", RULES))) {
                text =
                        assertThrows(
                                        RpcException.class,
                                        () -> trainer.rpcSync("ps", Numbers::add, 1, 2))
                                .getMessage();
            }
            lines.await(
                    PS
                            + ": worker trainer (id 1, inproc, authentication: the same process) has left");
            return text;
        }
    }

    private List<RecordedEvent> events(Recording recording) throws IOException {
        Path file = folder.resolve("audit.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .sorted((a, b) -> a.getStartTime().compareTo(b.getStartTime()))
                .toList();
    }

    private static List<String> texts(List<RecordedEvent> events, String type, String... fields) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .map(event ->
                        String.join(" ", List.of(fields).stream().map(event::getString).toList()))
                .toList();
    }
}
