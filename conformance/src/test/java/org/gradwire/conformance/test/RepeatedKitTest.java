package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.rules.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the whole kit over the project's backends {@value #TIMES} times; no test may fail. {@value
 * #BACKENDS} selects the backends, by default all but the processes. Run n has the seed {@value
 * Seed#KEY} + n, so that a run can be repeated alone. {@code ./gradwire conformance} sets these
 * properties.
 */
@Isolated
@EnabledIfSystemProperty(named = RepeatedKitTest.TIMES, matches = "[1-9][0-9]*")
class RepeatedKitTest {
    static final String TIMES = "conformance.times";
    static final String BACKENDS = "conformance.backends";

    private static List<KitRun.Backend> backends() {
        String names = System.getProperty(BACKENDS, "inproc,faulty,tensorpipe,udp");
        return Arrays.stream(names.split(",")).map(KitRun.Backend::of).toList();
    }

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS)
    void noRunFails() {
        int times = Integer.getInteger(TIMES, 1);
        long seed = Seed.get();
        List<KitRun.Backend> backends = backends();
        List<String> failures = new ArrayList<>();
        long tests = 0;
        for (int i = 0; i < times; i++) {
            for (KitRun.Backend backend : backends) {
                KitRun run = KitRun.of(backend, seed + i);
                System.out.printf("run %d of %d, %s%n", i + 1, times, run);
                run.failures().forEach(System.out::println);
                assertTrue(run.tests() > 0, () -> "no test ran over " + backend);
                failures.addAll(run.failures());
                tests += run.tests();
            }
        }
        System.out.printf(
                "%d runs of the kit over %s: %d tests, %d failures%n",
                times, backends, tests, failures.size());
        assertEquals(List.of(), failures);
    }
}
