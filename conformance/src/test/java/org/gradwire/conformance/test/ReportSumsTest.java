package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.gradwire.conformance.cases.rpc.BackPressureCases;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.SpecProperty;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tests that the report lists every test that JUnit ran, with equal sums. */
class ReportSumsTest {

    /** A suite as a vendor runs it; only run by the tests below. */
    static class Pressure extends BackPressureCases {
        @Override
        protected BackendUnderTest backend() {
            return Backends.inproc();
        }
    }

    /** Tests with every kind of result, without ids or a backend. */
    static class AllEnds {
        @Test
        void passes() {}

        @Test
        void fails() {
            throw new AssertionError("on purpose");
        }

        @Test
        void isAborted() {
            Assumptions.abort("for the test");
        }

        @Test
        @Disabled("for the test")
        void isDisabled() {}

        @TestFactory
        Stream<DynamicTest> made() {
            return Stream.of("one", "two").map(name -> DynamicTest.dynamicTest(name, () -> {}));
        }

        @TestFactory
        Stream<DynamicTest> madeInVain() {
            throw new IllegalStateException("on purpose");
        }

        @Nested
        @Disabled("for the test")
        class DisabledAsAWhole {
            @Test
            void one() {}

            @Test
            void other() {}
        }
    }

    /** Fails before its first test, and must still be reported. */
    static class FailsAsAWhole {
        @BeforeAll
        static void fail() {
            throw new AssertionError("on purpose");
        }

        @Test
        void neverRuns() {}
    }

    /** A property that cannot publish report entries. */
    static class Properties extends CaseSuite {
        @Override
        protected BackendUnderTest backend() {
            return Backends.inproc();
        }

        @SpecProperty("I-0")
        @Property(tries = 3)
        boolean holds(@ForAll int number) {
            return number == number + 0;
        }
    }

    private static ReportRun run(Path folder, Class<?>... classes) {
        return ReportRun.of(folder, Map.of("jqwik.reporting.usejunitplatform", "false"), classes);
    }

    private static void assertSumsAreJUnits(ReportRun run) throws IOException {
        TestExecutionSummary junit = run.junit();
        assertEquals(junit.getTestsSucceededCount(), run.count("passed"), "passed");
        assertEquals(
                junit.getTestsFailedCount() + junit.getContainersFailedCount(),
                run.count("failed"),
                "failed");
        assertEquals(
                junit.getTestsAbortedCount()
                        + junit.getContainersAbortedCount()
                        + junit.getTestsSkippedCount(),
                run.count("skipped") + run.count("warning"),
                "skipped");
    }

    @Test
    void casesWithoutAnIdAreCountedUnderTheirNames(@TempDir Path folder) throws IOException {
        ReportRun run = run(folder, Pressure.class);
        assertSumsAreJUnits(run);
        assertTrue(run.count("passed") >= 3, () -> "only " + run.junit().getTestsFoundCount());
        for (String line : run.lines().subList(1, run.lines().size())) {
            assertTrue(line.contains("{\"backend\":\"inproc\",\"id\":\"BackPressureCases."), line);
            assertTrue(line.contains("\"kind\":\"case\""), line);
        }
    }

    @Test
    void everyEndIsCounted(@TempDir Path folder) throws IOException {
        ReportRun run = run(folder, AllEnds.class, FailsAsAWhole.class);
        assertSumsAreJUnits(run);
        assertEquals(3, run.count("passed"));
        assertEquals(3, run.count("failed"));
        assertEquals(4, run.count("skipped"));
        for (String id :
                new String[] {
                    "AllEnds.passes",
                    "AllEnds.made[one]",
                    "AllEnds.madeInVain",
                    "DisabledAsAWhole.other",
                    "FailsAsAWhole"
                }) {
            assertEquals(
                    1,
                    run.lines().stream()
                            .filter(line ->
                                    line.contains("\"id\":\"" + id + "\",\"kind\":\"test\""))
                            .count(),
                    () -> id + " in " + run);
        }
    }

    @Test
    void severalTestPlansAreInOneReport(@TempDir Path folder) throws IOException {
        ReportRun run =
                ReportRun.of(
                        folder,
                        Map.of("jqwik.reporting.usejunitplatform", "false"),
                        List.of(
                                List.of(AllEnds.class),
                                List.of(Properties.class),
                                List.of(FailsAsAWhole.class)));
        assertEquals(3 + 1, run.count("passed"));
        assertEquals(2 + 1, run.count("failed"));
        assertEquals(4, run.count("skipped"));
    }

    @Test
    void propertiesNameTheirBackend(@TempDir Path folder) throws IOException {
        ReportRun run = run(folder, Properties.class);
        assertSumsAreJUnits(run);
        assertTrue(
                run.lines()
                        .get(1)
                        .startsWith("{\"backend\":\"inproc\",\"id\":\"I-0\",\"kind\":\"property\""),
                () -> run.toString());
    }
}
