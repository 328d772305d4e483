package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.SparkSession;
import org.gradwire.spark.SparkGroupException;
import org.gradwire.spark.SparkGroupException.Reason;
import org.gradwire.spark.WorkerReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups on executors in separate processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest {
    // More than an executor has slots.
    private static final int WORKERS = 3;
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

    private Path home = Path.of("");
    private @Nullable SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        home = folder;
        // With these, executors get the class path of the tests instead of that of an installation.
        System.setProperty("spark.testing", "true");
        System.setProperty("spark.test.home", home.toString());
        Files.createDirectory(home.resolve("jars"));
        spark =
                Sessions.start(
                        "local-cluster[2,2,1024]",
                        Map.of("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1"));
    }

    @AfterAll
    void stop() {
        session().stop();
        System.clearProperty("spark.testing");
        System.clearProperty("spark.test.home");
    }

    private SparkSession session() {
        return Objects.requireNonNull(spark);
    }

    @Test
    @Order(1)
    void workersOfTwoExecutorsCallEachOther() throws IOException {
        List<WorkerReport> reports =
                Sessions.group(session(), WORKERS, "Meet", "" + WORKERS).run().workers();
        assertEquals(List.of(0, 1, 2), reports.stream().map(WorkerReport::rank).toList());
        Set<String> executors =
                reports.stream().map(WorkerReport::executor).collect(Collectors.toSet());
        assertEquals(2, executors.size(), reports::toString);
        String logs = logs();
        for (int rank = 0; rank < WORKERS; rank++) {
            for (int other = 0; other < WORKERS; other++) {
                String line = "worker%d | worker%d met worker%d\n".formatted(rank, rank, other);
                assertTrue(logs.contains(line), () -> line + "is not in " + logs);
            }
        }
    }

    /** {@return the logs of all executors, in the folders of Spark's workers} */
    private String logs() throws IOException {
        String application = session().sparkContext().applicationId();
        List<Path> executors = new ArrayList<>();
        try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            for (Path folder : folders.map(each -> each.resolve(application)).toList()) {
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> entries = Files.list(folder)) {
                        executors.addAll(entries.toList());
                    }
                }
            }
        }
        return executors.stream()
                .map(executor -> read(executor.resolve("stderr")))
                .collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Order(2) // since another executor follows the killed one only after a while
    void killedExecutorEndsTheGroupAndLeavesNoWorker(@TempDir Path folder) {
        String mark = folder.toString();
        var group = Sessions.group(session(), WORKERS, "Fate", "wait", mark);
        var run = CompletableFuture.supplyAsync(group::run);
        Workers.awaitFiles(folder, WORKERS);
        ProcessHandle killed = Workers.with(EXECUTOR).get(0);
        killed.destroyForcibly();
        var thrown = assertThrows(CompletionException.class, run::join);
        var failure = assertInstanceOf(SparkGroupException.class, thrown.getCause());
        assertEquals(Reason.EXECUTOR_LOST, failure.reason(), failure::toString);
        assertTrue(
                String.valueOf(failure.getMessage())
                        .matches("(?s)executor \\d on \\S+ was lost, and with it worker\\d: .*"),
                failure::toString);
        Workers.awaitNone(mark);
    }
}
