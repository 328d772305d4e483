package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Profiled;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Flight Recorder's events of calls. */
@Timeout(60)
class FlightRecorderTest {
    private static final String FUNCTIONS = "org.gradwire.runtime.tests.functions.";

    @TempDir private Path folder;

    @Test
    void callsOfBothSidesAreRecorded() throws Exception {
        try (var recording = new Recording()) {
            recording.enable("org.gradwire.RpcCall");
            recording.enable("org.gradwire.ServedCall");
            recording.start();
            call();
            recording.stop();
            List<RecordedEvent> events = events(recording);
            assertEquals(
                    List.of(
                            "sync " + FUNCTIONS + "Numbers.square worker1 ok",
                            "async " + FUNCTIONS + "Numbers.square worker1 ok",
                            "remote " + FUNCTIONS + "Numbers.square worker1 ok",
                            "sync "
                                    + FUNCTIONS
                                    + "Profiled.addAndFail worker1 java.lang.IllegalStateException"),
                    texts(events, "org.gradwire.RpcCall", "mode", "function", "peer", "outcome"));
            assertEquals(
                    List.of(
                            FUNCTIONS + "Numbers.square worker0 ok",
                            FUNCTIONS + "Numbers.square worker0 ok",
                            FUNCTIONS + "Numbers.square worker0 ok",
                            FUNCTIONS
                                    + "Profiled.addAndFail worker0 java.lang.IllegalStateException"),
                    texts(events, "org.gradwire.ServedCall", "function", "peer", "outcome"));
            assertTrue(
                    events.stream()
                            .filter(event -> event.getEventType().getName().endsWith("Call"))
                            .allMatch(event -> event.getDuration().isPositive()));
        }
    }

    private static void call() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    rpc.rpcSync("worker1", Numbers::square, 2);
                    rpc.rpcAsync("worker1", Numbers::square, 3).join();
                    try (RRef<Integer> square = rpc.remote("worker1", Numbers::square, 4)) {
                        square.toHere();
                    }
                    assertThrows(
                            RemoteException.class,
                            () -> rpc.rpcSync("worker1", Profiled::addAndFail, Tensor.ones(1)));
                });
    }

    private List<RecordedEvent> events(Recording recording) throws IOException {
        Path file = folder.resolve("calls.jfr");
        recording.dump(file);
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        events.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
        return events;
    }

    private static List<String> texts(List<RecordedEvent> events, String type, String... fields) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .map(event ->
                        String.join(" ", List.of(fields).stream().map(event::getString).toList()))
                .toList();
    }
}
