package org.gradwire.conformance.test;

import org.gradwire.conformance.rules.Rules;
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
 * @param tests how many ran to their end, well or not
 * @param failures a text of each, with the seed of the run
 */
record KitRun(Backend backend, long seed, long tests, long millis, List<String> failures) {

    /** What the kit is run over, and the classes that do. */
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
                                    "'%s' is none of the backends %s"
                                            .formatted(name, Arrays.toString(values()))));
        }

        private List<DiscoverySelector> selectors() {
            List<DiscoverySelector> selectors = new ArrayList<>();
            classes.forEach(type -> selectors.add(DiscoverySelectors.selectClass(type)));
            if (this != PROCESSES && this != UDP) { // over UDP a member takes seconds to replace
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

    /** Run the kit, whose checks draw from a seed. */
    static KitRun of(Backend backend, long seed) {
        var summary = new SummaryGeneratingListener();
        var config =
                LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .addTestExecutionListeners(summary)
                        .build();
        String before = System.getProperty(Rules.SEED_KEY, "");
        System.setProperty(Rules.SEED_KEY, Long.toString(seed));
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
                System.clearProperty(Rules.SEED_KEY);
            } else {
                System.setProperty(Rules.SEED_KEY, before);
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
                        Rules.SEED_KEY,
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
