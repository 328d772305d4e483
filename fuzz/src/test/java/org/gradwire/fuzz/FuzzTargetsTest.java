package org.gradwire.fuzz;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Fuzzes each target for a short time. {@code ./gradwire fuzz} sets the system properties: {@code
 * fuzz.targets} and {@code fuzz.seconds} select the targets and the time for each; with {@code
 * fuzz.minimize} their corpora are minimized instead.
 */
class FuzzTargetsTest {
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 1);
    private static final Path WORK = Path.of("target/fuzz").toAbsolutePath();
    private static final Path CORPUS = Path.of("corpus").toAbsolutePath();

    private static List<FuzzTarget> targets() {
        String ids = System.getProperty("fuzz.targets", "");
        return ids.isEmpty()
                ? List.of(FuzzTarget.values())
                : Arrays.stream(ids.split(",")).map(FuzzTarget::of).toList();
    }

    @TestFactory
    @Timeout(value = 30, unit = TimeUnit.DAYS)
    Stream<DynamicTest> noInputShowsAnError() {
        return targets().stream()
                .map(target ->
                        dynamicTest(target.id(), () -> run(Fuzzer.of(target, WORK, CORPUS))));
    }

    private static void run(Fuzzer fuzzer) throws Throwable {
        if (Boolean.getBoolean("fuzz.minimize")) {
            fuzzer.minimize();
        } else {
            fuzzer.run(SECONDS);
        }
    }
}
