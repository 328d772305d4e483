package org.gradwire.conformance.harness;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a backend says of itself beyond what every backend must do. The rule for a capability is
 * checked where it is declared; elsewhere the report lists it as skipped.
 *
 * @param ordered whether requests of one worker to another are handed in as they were sent
 * @param incarnations whether an earlier holder of an id, still running, is kept out
 * @param survivesRubbish whether bytes of a peer that make no sense end nothing but their own call
 * @param sendQueue the most bytes that wait for one peer; more is refused
 * @param messageSize the most bytes of a message; a larger one is refused
 * @param connectTime milliseconds after which connecting to a member that never comes has failed
 * @param wrongSettings values that the backend must refuse, by key
 * @param authenticated whether workers exchange messages only with those that prove to know their
 *     token
 * @param portKeys keys of {@code debugInfo} that say at which TCP ports of the loopback interface
 *     an agent listens, for those who have not proven who they are yet
 */
public record Capabilities(
        boolean ordered,
        boolean incarnations,
        boolean survivesRubbish,
        Optional<Bound> sendQueue,
        Optional<Bound> messageSize,
        Optional<Bound> connectTime,
        Map<String, String> wrongSettings,
        boolean authenticated,
        List<String> portKeys) {

    /** A backend that promises nothing more. */
    public static final Capabilities NONE =
            new Capabilities(
                    false,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    false,
                    List.of());

    /**
     * A bound, and the settings under which it holds; they are added to those of the backend for
     * the check of the bound only.
     */
    public record Bound(long value, Map<String, String> settings) {
        public Bound {
            settings = Map.copyOf(settings);
        }

        static Optional<Bound> of(long value, Map<String, String> settings) {
            return Optional.of(new Bound(value, settings));
        }
    }

    public Capabilities {
        wrongSettings = Map.copyOf(wrongSettings);
        portKeys = List.copyOf(portKeys);
    }

    /** Return the same, with requests handed in as they were sent. */
    public Capabilities withOrder() {
        return new Capabilities(
                true,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, where an earlier holder of an id is kept out. */
    public Capabilities withIncarnations() {
        return new Capabilities(
                ordered,
                true,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, where rubbish ends nothing but its own call. */
    public Capabilities withSurvivalOfRubbish() {
        return new Capabilities(
                ordered,
                incarnations,
                true,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, where so many bytes wait for one peer at most. */
    public Capabilities withSendQueue(long bytes, Map<String, String> settings) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                Bound.of(bytes, settings),
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, where a message has so many bytes at most. */
    public Capabilities withMessageSize(long bytes, Map<String, String> settings) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                Bound.of(bytes, settings),
                connectTime,
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, where connecting to a member that never comes fails after this time. */
    public Capabilities withConnectTime(Duration time, Map<String, String> settings) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                Bound.of(time.toMillis(), settings),
                wrongSettings,
                authenticated,
                portKeys);
    }

    /** Return the same, with values that the backend must refuse. */
    public Capabilities withWrongSettings(Map<String, String> settings) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                settings,
                authenticated,
                portKeys);
    }

    /** Return the same, whose workers prove to each other that they know their token. */
    public Capabilities withAuthentication() {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                true,
                portKeys);
    }

    /** Return the same, where these keys of {@code debugInfo} say at which ports it listens. */
    public Capabilities withPorts(String... keys) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                List.of(keys));
    }
}
