package org.gradwire.conformance.report;

import org.gradwire.conformance.rules.Seed;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The environment of a run: versions, machine, time, duration and kit settings.
 *
 * @param kitSettings system properties that begin with {@code conformance.}
 */
record Run(
        String gradwire,
        String jdk,
        String os,
        int processors,
        Instant started,
        Duration took,
        Map<String, String> kitSettings) {

    static Run ended(Instant started) {
        return new Run(
                version(),
                "%s (%s)".formatted(Runtime.version(), System.getProperty("java.vendor", "?")),
                "%s %s, %s"
                        .formatted(
                                System.getProperty("os.name", "?"),
                                System.getProperty("os.version", "?"),
                                System.getProperty("os.arch", "?")),
                Runtime.getRuntime().availableProcessors(),
                started.truncatedTo(ChronoUnit.SECONDS),
                Duration.between(started, Instant.now()),
                kitSettingsNow());
    }

    /** {@return Gradwire's version, from its module or else its jar} */
    private static String version() {
        @Nullable Package jar = RpcAgent.class.getPackage();
        return Optional.ofNullable(RpcAgent.class.getModule().getDescriptor())
                .flatMap(descriptor -> descriptor.rawVersion())
                .or(() -> Optional.ofNullable(jar).map(Package::getImplementationVersion))
                .orElse("of unknown version");
    }

    private static Map<String, String> kitSettingsNow() {
        Map<String, String> settings = new TreeMap<>();
        for (String key : System.getProperties().stringPropertyNames()) {
            if (key.startsWith("conformance.") && !key.equals(ReportListener.PATH)) {
                settings.put(key, System.getProperty(key, ""));
            }
        }
        return settings;
    }

    String toJson() {
        return new Json()
                .with("kind", "run")
                .with("gradwire", gradwire)
                .with("jdk", jdk)
                .with("os", os)
                .with("processors", processors)
                .with("started", started.toString())
                .with("millis", took.toMillis())
                .with("seed", Seed.get())
                .with("settings", kitSettings.toString())
                .toString();
    }
}
