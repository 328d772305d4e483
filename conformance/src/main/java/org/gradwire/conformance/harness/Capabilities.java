package org.gradwire.conformance.harness;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Optional guarantees of a backend, which it declares. The kit checks the rule of each declared
 * capability; the report lists the others as skipped.
 *
 * @param ordered whether requests from one worker to another are delivered in the order they were
 *     sent
 * @param incarnations whether a former holder of an id that still runs is rejected
 * @param survivesRubbish whether malformed bytes from a peer fail only their own call
 * @param sendQueue maximum number of bytes queued for one peer; the backend refuses more
 * @param messageSize maximum size of a message in bytes; the backend refuses a larger one
 * @param connectTime milliseconds after which connect fails if a member never starts
 * @param wrongSettings invalid values by key, which the backend must refuse
 * @param authenticated whether workers exchange messages only with peers that prove knowledge of
 *     the token
 * @param portKeys keys of {@code debugInfo} whose values are the TCP ports on the loopback
 *     interface at which an agent accepts unauthenticated connections
 * @param certificates settings under which workers of one host communicate as over a network, where
 *     they verify each other's certificates
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
        List<String> portKeys,
        Optional<Map<String, String>> certificates) {

    /** No optional guarantees. */
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
                    List.of(),
                    Optional.empty());

    /**
     * A bound, and settings under which it holds. The check of the bound adds these settings to
     * those of the backend.
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

    /** Return a copy with ordered delivery. */
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
                portKeys,
                certificates);
    }

    /** Return a copy that rejects former holders of an id. */
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
                portKeys,
                certificates);
    }

    /** Return a copy that survives malformed bytes. */
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
                portKeys,
                certificates);
    }

    /** Return a copy with a maximum number of bytes queued for one peer. */
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
                portKeys,
                certificates);
    }

    /** Return a copy with a maximum message size in bytes. */
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
                portKeys,
                certificates);
    }

    /** Return a copy with a maximum time to connect to a member that never starts. */
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
                portKeys,
                certificates);
    }

    /** Return a copy with invalid settings, which the backend must refuse. */
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
                portKeys,
                certificates);
    }

    /** Return a copy that authenticates workers by their token. */
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
                portKeys,
                certificates);
    }

    /** Return a copy with keys of {@code debugInfo} that hold its listening ports. */
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
                List.of(keys),
                certificates);
    }

    /** Return a copy that verifies certificates under some settings. */
    public Capabilities withCertificates(Map<String, String> settings) {
        return new Capabilities(
                ordered,
                incarnations,
                survivesRubbish,
                sendQueue,
                messageSize,
                connectTime,
                wrongSettings,
                authenticated,
                portKeys,
                Optional.of(Map.copyOf(settings)));
    }
}
