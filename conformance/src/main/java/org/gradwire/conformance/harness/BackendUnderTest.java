package org.gradwire.conformance.harness;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A backend and the bounds that the kit tests it with.
 *
 * @param name name in the report
 * @param settings settings by key, as for {@code RpcOptions}; must contain {@code gradwire.backend}
 * @param livenessTime time within which the loss of a peer must be detected
 * @param patience time that a check waits for an expected event before it fails
 * @param maxMessageBytes size of the largest message the kit sends, up to 2 GiB
 * @param capabilities optional guarantees of the backend
 */
public record BackendUnderTest(
        String name,
        Map<String, String> settings,
        Duration livenessTime,
        Duration patience,
        long maxMessageBytes,
        Capabilities capabilities) {

    private static final long USUAL_BYTES = 64L << 20;
    private static final String MAX_MESSAGE_BYTES = "conformance.max-message-bytes";

    /**
     * Describe a backend with default bounds: a liveness time of 5 s, a patience of 10 s, and
     * messages of up to 64 MiB, or system property {@code conformance.max-message-bytes}.
     */
    public static BackendUnderTest of(String name, Map<String, String> settings) {
        return new BackendUnderTest(
                name,
                settings,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Long.getLong(MAX_MESSAGE_BYTES, USUAL_BYTES),
                Capabilities.NONE);
    }

    public BackendUnderTest {
        settings = Map.copyOf(settings);
        if (!settings.containsKey("gradwire.backend")) {
            throw new IllegalArgumentException(
                    "the settings of backend '"
                            + name
                            + "' do not select it; add gradwire.backend");
        }
    }

    /** Return a copy with other time bounds. */
    public BackendUnderTest withTimes(Duration newLivenessTime, Duration newPatience) {
        return new BackendUnderTest(
                name, settings, newLivenessTime, newPatience, maxMessageBytes, capabilities);
    }

    /** Return a copy with another maximum message size. */
    public BackendUnderTest withMaxMessageBytes(long bytes) {
        return new BackendUnderTest(name, settings, livenessTime, patience, bytes, capabilities);
    }

    /** Return a copy with other capabilities. */
    public BackendUnderTest withCapabilities(Capabilities newCapabilities) {
        return new BackendUnderTest(
                name, settings, livenessTime, patience, maxMessageBytes, newCapabilities);
    }

    /** Return a copy with another name. */
    public BackendUnderTest withName(String newName) {
        return new BackendUnderTest(
                newName, settings, livenessTime, patience, maxMessageBytes, capabilities);
    }

    /** Return a copy with additional settings. */
    public BackendUnderTest withSettings(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new BackendUnderTest(
                name, all, livenessTime, patience, maxMessageBytes, capabilities);
    }

    /**
     * Return a copy wrapped in the faulty backend, which injects only the faults of these settings.
     */
    public BackendUnderTest withFaults(Map<String, String> faults) {
        Map<String, String> all = new HashMap<>(settings);
        if (!providerName().equals("faulty")) {
            all.put("gradwire.faulty.backend", providerName());
            all.put("gradwire.backend", "faulty");
        }
        all.put("gradwire.faulty.messages-to-fail", "");
        all.put("gradwire.faulty.messages-to-delay", "");
        all.putAll(faults);
        return new BackendUnderTest(
                name, all, livenessTime, patience, maxMessageBytes, capabilities);
    }

    /** {@return the name of the backend's provider} */
    public String providerName() {
        return settings.getOrDefault("gradwire.backend", "");
    }
}
