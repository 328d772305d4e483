package org.gradwire.conformance.test;

import org.gradwire.conformance.rules.Seed;
import org.junit.jupiter.api.TestReporter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One run of the kit over a backend.
 *
 * @param backend backend under test
 * @param seed seed of the run
 * @param tests number of tests that passed or failed
 * @param millis duration in milliseconds
 * @param failures description of each failure, with the seed of the run
 */
record KitRun(Backend backend, long seed, long tests, long millis, List<String> failures) {

    /** A backend and the test classes that run the kit over it. */
    enum Backend {
        INPROC(
                InprocConformanceTest.class,
                InprocPropertiesTest.class,
                InprocSmartPropertiesTest.class),
        FAULTY(
                FaultyConformanceTest.class,
                FaultyPropertiesTest.class,
                FaultySmartPropertiesTest.class,
                FaultyDefaultsTest.class),
        TENSORPIPE(
                TensorpipeConformanceTest.class,
                TensorpipePropertiesTest.class,
                TensorpipeSmartPropertiesTest.class,
                FaultyTensorpipeDefaultsTest.class),
        UDP(TensorpipeUdpConformanceTest.class),
        PROCESSES(
                TensorpipeProcessTest.class,
                TensorpipeUdpProcessTest.class,
                TensorpipeProcessFaultsTest.class,
                TensorpipeNetworkFaultsTest.class);

        private final List<Class<?>> classes;

        Backend(Class<?>... classes) {
            this.classes = List.of(classes);
        }

        static Backend of(String name) {
            return Arrays.stream(values())
                    .filter(backend -> backend.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException(
                                    "unknown backend '%s'; expected one of %s"
                                            .formatted(name, Arrays.toString(values()))));
        }

        private List<DiscoverySelector> selectors() {
            List<DiscoverySelector> selectors = new ArrayList<>();
            classes.forEach(type -> selectors.add(DiscoverySelectors.selectClass(type)));
            if (this != PROCESSES && this != UDP) { // over UDP, replacing a member takes seconds
                selectors.add(
                        DiscoverySelectors.selectMethod(
                                ProcessRulesTest.class, toString(), TestReporter.class.getName()));
            }
            return selectors;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Run the kit with a seed. */
    static KitRun of(Backend backend, long seed) {
        var summary = new SummaryGeneratingListener();
        var config =
                LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .addTestExecutionListeners(summary)
                        .build();
        String before = System.getProperty(Seed.KEY, "");
        System.setProperty(Seed.KEY, Long.toString(seed));
        long start = System.nanoTime();
        try {
            LauncherFactory.create(config)
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(backend.selectors())
                                    .configurationParameter(
                                            "junit.jupiter.execution.timeout.default", "120 s")
                                    .configurationParameter(
                                            "jqwik.database", "target/jqwik-database")
                                    .build());
        } finally {
            if (before.isEmpty()) {
                System.clearProperty(Seed.KEY);
            } else {
                System.setProperty(Seed.KEY, before);
            }
        }
        TestExecutionSummary junit = summary.getSummary();
        return new KitRun(
                backend,
                seed,
                junit.getTestsSucceededCount() + junit.getTestsFailedCount(),
                (System.nanoTime() - start) / 1_000_000,
                junit.getFailures().stream().map(failure -> text(backend, seed, failure)).toList());
    }

    private static String text(Backend backend, long seed, TestExecutionSummary.Failure failure) {
        return "FAILED over %s, -D%s=%d: %s: %s"
                .formatted(
                        backend,
                        Seed.KEY,
                        seed,
                        failure.getTestIdentifier().getUniqueId(),
                        failure.getException());
    }

    @Override
    public String toString() {
        return "seed %d, %s: %d tests, %d failures, %d s"
                .formatted(seed, backend, tests, failures.size(), millis / 1_000);
    }
}
