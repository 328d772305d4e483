package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.s3.Group.Table;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that is killed while it sends the parts of a checkpoint. */
class S3CrashTest {
    private static final String PREFIX = "crash";
    private static final int MOST_KILLS = 10;

    @TempDir Path directory;

    private static Process start(S3Proxy proxy) throws IOException {
        Path arguments = Path.of(System.getProperty("jvm.args.file"));
        String path =
                String.join(
                        File.pathSeparator,
                        "target/test-classes",
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path"));
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + arguments.resolveSibling("jvm-classpath.args"),
                        "-XX:TieredStopAtLevel=1",
                        "-Dgradwire.s3.endpoint=" + proxy.uri(),
                        "-Dgradwire.s3.part-size=5m",
                        "-cp",
                        path,
                        CrashProgram.class.getName(),
                        "s3://bucket/" + PREFIX);
        builder.environment().put("AWS_ACCESS_KEY_ID", Stores.KEY.accessKey());
        builder.environment().put("AWS_SECRET_ACCESS_KEY", Stores.KEY.secretKey());
        builder.redirectError(ProcessBuilder.Redirect.appendTo(new File("target/children.log")));
        return builder.start();
    }

    /** Kill a process after its first save, when parts of the next one have been sent. */
    private static long killInASave(S3Proxy proxy) throws Exception {
        Process process = start(proxy);
        try (BufferedReader lines = process.inputReader()) {
            String line = lines.readLine();
            assertTrue(line != null, "see target/children.log");
            long limit = System.nanoTime() + Duration.ofSeconds(40).toNanos();
            while (proxy.uploads(PREFIX).isEmpty()) {
                assertTrue(process.isAlive() && System.nanoTime() < limit, "no upload was begun");
            }
            process.destroyForcibly(); // SIGKILL
            return Long.parseLong(line);
        } finally {
            process.destroyForcibly();
            assertTrue(process.waitFor(40, TimeUnit.SECONDS));
        }
    }

    @Test
    @GradwireWorkers(CrashProgram.WORKERS)
    void theNewestIsCompleteAndALaterSaveRemovesWhatWasLeft(List<Rpc> workers) throws Exception {
        try (S3Proxy proxy = S3Proxy.start(directory)) {
            long step = 0;
            for (int kill = 0; kill < 2 || (kill < MOST_KILLS && isClean(proxy)); kill++) {
                long printed = killInASave(proxy);
                assertTrue(printed > step, printed + " after " + step);
                step = assertNewestIsComplete(proxy, printed);
            }
            System.out.println(proxy.uploads(PREFIX).size() + " uploads were left by kills");
            assertFalse(isClean(proxy), "no kill left anything");
            long next = step + 1;
            var _ =
                    Group.run(
                            workers,
                            proxy.storage(PREFIX),
                            (rank, checkpoint) ->
                                    checkpoint.save(
                                            next,
                                            Map.of(
                                                    "t",
                                                    Table.of(
                                                                    rank,
                                                                    CrashProgram.WORKERS,
                                                                    CrashProgram.ROWS,
                                                                    CrashProgram.COLUMNS)
                                                            .at(next))));
            assertTrue(isClean(proxy), () -> "left behind");
            assertEquals(next, assertNewestIsComplete(proxy, next));
        }
    }

    /** {@return true if only complete checkpoints are left} */
    private static boolean isClean(S3Proxy proxy) throws IOException {
        int checkpoints = Checkpoint.steps(proxy.storage(PREFIX)).size();
        return proxy.uploads(PREFIX).isEmpty()
                && proxy.keys(PREFIX + "/").size() == checkpoints * (1 + CrashProgram.WORKERS);
    }

    private static long assertNewestIsComplete(S3Proxy proxy, long least) throws IOException {
        Checkpoint.Latest latest = Checkpoint.latest(proxy.storage(PREFIX));
        assertEquals(List.of(), latest.damaged());
        SavedCheckpoint saved = latest.checkpoint().orElseThrow();
        long step = saved.manifest().step();
        assertTrue(step >= least, () -> step + " is not " + least);
        var table = Table.of(0, 1, CrashProgram.ROWS, CrashProgram.COLUMNS).at(0);
        saved.load(Map.of("t", table));
        assertTrue(table.isAt(step));
        return step;
    }
}
