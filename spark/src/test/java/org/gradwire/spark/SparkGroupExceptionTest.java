package org.gradwire.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.spark.SparkGroupException.Reason;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

class SparkGroupExceptionTest {
    private static final WorkerReport REPORT =
            new WorkerReport(2, "h", "7", 139, Duration.ofSeconds(3), 0, List.of("a", "b"));

    @Test
    void exceptionOfATaskReachesTheDriverWithItsReport() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(SparkGroupException.failed(REPORT));
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            var arrived = (SparkGroupException) in.readObject();
            var job = new IllegalStateException("of the job");
            SparkGroupException thrown = arrived.inDriver(job);
            assertEquals(Reason.WORKER_FAILED, thrown.reason());
            assertEquals(Optional.of(REPORT), thrown.report());
            assertEquals(
                    "worker2 on h failed: exit code 139; its last lines:\n  a\n  b",
                    thrown.getMessage());
            assertSame(job, thrown.getCause());
        }
    }

    @Test
    void workerWithoutOutputIsDescribed() {
        var silent = new WorkerReport(0, "h", "7", 1, Duration.ZERO, 0, List.of());
        assertEquals(
                "worker0 on h failed: exit code 1; it has printed nothing",
                SparkGroupException.failed(silent).getMessage());
    }
}
