package org.gradwire.conformance.harness;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A backend as the kit is to run it.
 *
 * @param name under which the report lists it
 * @param settings by key, {@code gradwire.backend} at least, as they would be given to {@code
 *     RpcOptions}
 * @param livenessTime within which the loss of a peer must be noticed
 * @param patience how long a check waits for what must happen, before it says that it does not
 * @param maxMessageBytes the largest message that the kit sends through it, up to 2 GiB
 * @param capabilities what it promises beyond what every backend must do
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
     * Describe a backend with the usual bounds: five seconds of liveness, ten of patience, and
     * messages of 64 MiB, or as many bytes as system property {@code conformance.max-message-bytes}
     * says.
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
                    "the settings of backend '" + name + "' do not name it; add gradwire.backend");
        }
    }

    /** Return the same with other bounds in time. */
    public BackendUnderTest withTimes(Duration newLivenessTime, Duration newPatience) {
        return new BackendUnderTest(
                name, settings, newLivenessTime, newPatience, maxMessageBytes, capabilities);
    }

    /** Return the same with another largest message. */
    public BackendUnderTest withMaxMessageBytes(long bytes) {
        return new BackendUnderTest(name, settings, livenessTime, patience, bytes, capabilities);
    }

    /** Return the same, which promises more, or less. */
    public BackendUnderTest withCapabilities(Capabilities newCapabilities) {
        return new BackendUnderTest(
                name, settings, livenessTime, patience, maxMessageBytes, newCapabilities);
    }

    /** Return the same under another name. */
    public BackendUnderTest withName(String newName) {
        return new BackendUnderTest(
                newName, settings, livenessTime, patience, maxMessageBytes, capabilities);
    }

    /** Return the same with further settings. */
    public BackendUnderTest withSettings(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new BackendUnderTest(
                name, all, livenessTime, patience, maxMessageBytes, capabilities);
    }

    /**
     * Return the same within the faulty backend, which does nothing but what these settings say.
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

    /** {@return the name by which the backend's provider is found} */
    public String providerName() {
        return settings.getOrDefault("gradwire.backend", "");
    }
}
