package org.gradwire.conformance.test;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A run of test classes with the report listener.
 *
 * @param file file that the listener wrote
 * @param junit JUnit's own counts of the last test plan
 */
record ReportRun(Path file, TestExecutionSummary junit) {
    private static final String PATH = "conformance.report";

    /** Run classes with JUnit and jqwik, with configuration parameters of the platform. */
    static ReportRun of(Path folder, Map<String, String> parameters, Class<?>... classes) {
        return of(folder, parameters, List.of(List.of(classes)));
    }

    /** Run the classes of several test plans, with the same listeners. */
    static ReportRun of(Path folder, Map<String, String> parameters, List<List<Class<?>>> plans) {
        Path file = folder.resolve("report.ndjson");
        String before = System.getProperty(PATH, "");
        System.setProperty(PATH, file.toString());
        var summary = new SummaryGeneratingListener();
        try {
            var config =
                    LauncherConfig.builder()
                            .enableTestExecutionListenerAutoRegistration(false)
                            .addTestExecutionListeners(listener(), summary)
                            .build();
            Launcher launcher = LauncherFactory.create(config);
            for (List<Class<?>> classes : plans) {
                launcher.execute(request(classes, parameters));
            }
        } finally {
            if (before.isEmpty()) {
                System.clearProperty(PATH);
            } else {
                System.setProperty(PATH, before);
            }
        }
        return new ReportRun(file, summary.getSummary());
    }

    private static LauncherDiscoveryRequest request(
            List<Class<?>> classes, Map<String, String> parameters) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        classes.stream()
                                .map(DiscoverySelectors::selectClass)
                                .toArray(DiscoverySelector[]::new))
                .configurationParameters(parameters)
                .build();
    }

    private static TestExecutionListener listener() {
        return ServiceLoader.load(TestExecutionListener.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(known -> known.getClass().getSimpleName().equals("ReportListener"))
                .findFirst()
                .orElseThrow();
    }

    List<String> lines() throws IOException {
        return Files.readAllLines(file);
    }

    String page() throws IOException {
        return Files.readString(file.resolveSibling("report.html"));
    }

    /** {@return the number of test lines with a result} */
    long count(String result) throws IOException {
        return lines().stream()
                .filter(line -> line.contains("\"result\":\"" + result + "\""))
                .filter(line -> !line.contains("\"kind\":\"kill\""))
                .count();
    }
}
