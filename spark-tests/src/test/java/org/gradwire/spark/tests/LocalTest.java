package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.SparkSession;
import org.gradwire.spark.GradwireOnSpark;
import org.gradwire.spark.GroupResult;
import org.gradwire.spark.SparkGroup;
import org.gradwire.spark.SparkGroupException;
import org.gradwire.spark.SparkGroupException.Reason;
import org.gradwire.spark.WorkerReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Groups whose executor is the driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalTest {
    private static final int WORKERS = 4;
    private static final String TOKEN_FILE = "GRADWIRE_AUTHENTICATION_TOKEN_FILE=";

    private final SparkSession spark = Sessions.start("local[4]", Map.of());
    private final String host = spark.sparkContext().getConf().get("spark.driver.host");

    @AfterAll
    void stop() {
        spark.stop();
    }

    private SparkGroup fate(int workers, String... args) {
        return Sessions.group(spark, workers, "Fate", args);
    }

    private static SparkGroupException fails(SparkGroup group) {
        return assertThrows(SparkGroupException.class, group::run);
    }

    @Test
    void workersCallEachOther() {
        List<WorkerReport> reports =
                Sessions.group(spark, WORKERS, "Meet", "" + WORKERS).run().workers();
        assertEquals(WORKERS, reports.size());
        for (int rank = 0; rank < WORKERS; rank++) {
            WorkerReport report = reports.get(rank);
            String met = "worker" + rank + " met worker";
            assertEquals(rank, report.rank());
            assertEquals(0, report.exitCode());
            assertEquals(0, report.rows());
            assertEquals(host, report.host());
            assertEquals(
                    IntStream.range(0, WORKERS).mapToObj(i -> met + i).toList(),
                    report.lastLines());
        }
    }

    @Test
    void failureOfAWorkerIsReportedAndEndsTheOthers(@TempDir Path folder) {
        String mark = folder.toString();
        SparkGroupException failure = fails(fate(2, "exit", "1", "3", mark));
        assertEquals(Reason.WORKER_FAILED, failure.reason());
        assertEquals(
                "worker1 on %s failed: exit code 3; its last lines:%n  the last words of worker1"
                        .formatted(host),
                failure.getMessage());
        WorkerReport report = failure.report().orElseThrow();
        assertEquals(1, report.rank());
        assertEquals(host, report.host());
        assertEquals(3, report.exitCode());
        assertEquals(List.of("the last words of worker1"), report.lastLines());
        Workers.awaitNone(mark);
    }

    @Test
    void groupRunsAgainWhenAWorkerHasFailed(@TempDir Path folder) {
        String file = folder.resolve("first").toString();
        GroupResult result = fate(1, "once", file).attempts(2).run();
        assertEquals(2, result.attempt());
        assertEquals(0, result.workers().get(0).exitCode());
    }

    @Test
    void cancelledJobEndsItsWorkersWhoseSecretNobodySees(@TempDir Path folder) throws Exception {
        var group = fate(2, "wait", folder.toString());
        var run =
                CompletableFuture.supplyAsync(() -> {
                    spark.sparkContext().setJobGroup("waiting", "waiting workers", false);
                    return group.run();
                });
        Workers.awaitFiles(folder, 2);
        assertSecretIsHidden(Workers.with(folder.toString()));
        spark.sparkContext().cancelJobGroup("waiting");
        var thrown = assertThrows(CompletionException.class, run::join);
        var failure = assertInstanceOf(SparkGroupException.class, thrown.getCause());
        assertEquals(Reason.JOB_FAILED, failure.reason());
        assertTrue(failure.toString().contains("cancelled"), failure::toString);
        Workers.awaitNone(folder.toString());
    }

    private static void assertSecretIsHidden(List<ProcessHandle> processes) throws IOException {
        List<String> visible = new ArrayList<>();
        for (ProcessHandle process : processes) {
            visible.add(Workers.read(process, "cmdline"));
            visible.add(Workers.read(process, "environ"));
        }
        List<Path> files =
                visible.stream()
                        .flatMap(text -> Stream.of(text.split("\0")))
                        .filter(entry -> entry.startsWith(TOKEN_FILE))
                        .map(entry -> Path.of(entry.substring(TOKEN_FILE.length())))
                        .toList();
        assertEquals(2, files.size(), "token files, one for each worker: " + files);
        for (Path file : files) {
            String token = Files.readString(file).strip();
            assertEquals(43, token.length());
            assertTrue(visible.stream().noneMatch(text -> text.contains(token)));
        }
    }

    @Test
    void interruptEndsTheWorkers(@TempDir Path folder) throws Exception {
        var group = fate(1, "wait", folder.toString());
        var failure = new CompletableFuture<SparkGroupException>();
        var interrupted = new CompletableFuture<Boolean>();
        var thread =
                new Thread(() -> {
                    failure.complete(fails(group));
                    interrupted.complete(Thread.currentThread().isInterrupted());
                });
        thread.start();
        Workers.awaitFiles(folder, 1);
        thread.interrupt();
        assertEquals(Reason.JOB_FAILED, failure.join().reason());
        assertEquals(
                "the thread was interrupted, which has ended the group",
                failure.join().getMessage());
        assertTrue(interrupted.join());
        Workers.awaitNone(folder.toString());
    }

    @Test
    void variablesOfTheExecutorAloneStayThere() {
        // The tests themselves have these, of which no worker may know.
        for (String name : List.of("CLASSPATH", "_SPARK_AUTH_SECRET")) {
            assertTrue(System.getenv().containsKey(name), name);
        }
        WorkerReport report =
                fate(1, "variables", "GRADWIRE_", "CLASSPATH", "_SPARK", "ADDED")
                        .environment(Map.of("ADDED", "here"))
                        .run()
                        .workers()
                        .get(0);
        assertEquals(
                List.of(
                        "ADDED",
                        "GRADWIRE_AUTHENTICATION_TOKEN_FILE",
                        "GRADWIRE_HOME",
                        "GRADWIRE_NAME",
                        "GRADWIRE_RANK",
                        "GRADWIRE_READY_FILE",
                        "GRADWIRE_RENDEZVOUS",
                        "GRADWIRE_RESTART",
                        "GRADWIRE_WORLD_SIZE"),
                report.lastLines());
    }

    @Test
    void moreWorkersThanSlotsAreRefusedAtOnce() {
        long startNanos = System.nanoTime();
        SparkGroupException refusal = fails(fate(WORKERS + 1, "variables"));
        long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
        assertEquals(Reason.TOO_FEW_SLOTS, refusal.reason());
        assertEquals(
                "5 workers need 5 tasks at once, but the cluster runs 4: add executors or cores (spark.executor.instances, spark.executor.cores), lower spark.task.cpus, or start fewer workers",
                refusal.getMessage());
        // Spark itself waits for ten minutes.
        assertTrue(seconds < 10, "took " + seconds + " s");
    }

    @Test
    void wrongOptionsAreRefused() {
        for (String program : List.of("spark.programs.Fate", "a/b/c", "", "a.b/ c")) {
            SparkGroupException refusal =
                    assertThrows(
                            SparkGroupException.class,
                            () -> GradwireOnSpark.run(spark, 2, program));
            assertEquals(Reason.OPTION, refusal.reason());
            assertEquals(
                    "the program is '%s', expected module/main.Class, such as my.module/my.Main"
                            .formatted(program),
                    refusal.getMessage());
        }
        for (int workers : List.of(-1, 0, 32_768)) {
            SparkGroupException refusal =
                    assertThrows(
                            SparkGroupException.class,
                            () -> GradwireOnSpark.run(spark, workers, "a/b"));
            assertEquals(Reason.OPTION, refusal.reason());
            assertEquals(
                    "the number of workers is %d, expected 1 to 32767".formatted(workers),
                    refusal.getMessage());
        }
    }

    @Test
    void missingDistributionIsNamed(@TempDir Path folder) {
        SparkGroupException failure = fails(fate(2, "variables").home(folder.toString()));
        assertEquals(Reason.NO_DISTRIBUTION, failure.reason());
        assertEquals(
                folder
                        + " has no distribution of Gradwire, with folders launcher and lib: copy it to every executor's host, or ship it with spark.archives",
                failure.getMessage());
    }

    @Test
    void missingModuleIsNamedByTheLauncher() {
        SparkGroupException failure = fails(GradwireOnSpark.group(spark, 2, "no.module/no.Main"));
        assertEquals(Reason.WORKER_FAILED, failure.reason());
        WorkerReport report = failure.report().orElseThrow();
        assertEquals(2, report.exitCode());
        assertTrue(
                report.lastLines().get(0).contains("there is no module no.module"),
                report::toString);
    }
}
