package com.example.socket.test;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;

import java.time.Duration;
import java.util.Map;

/** The backend under test, with all its capabilities. */
final class SocketBackend {
    private static final String SOCKET = "gradwire.socket.";

    private static final Capabilities CAPABILITIES =
            Capabilities.NONE
                    .withOrder()
                    .withIncarnations()
                    .withAuthentication()
                    .withPorts("socket.port")
                    .withSurvivalOfRubbish()
                    .withSendQueue(16L << 20, Map.of(SOCKET + "send-queue-bytes", "16m"))
                    .withMessageSize(8L << 20, Map.of(SOCKET + "max-message-bytes", "8m"))
                    .withConnectTime(
                            Duration.ofSeconds(1), Map.of(SOCKET + "connect-timeout", "1s"))
                    .withWrongSettings(
                            Map.of(
                                    SOCKET + "liveness", "1ms",
                                    SOCKET + "connect-timeout", "soon",
                                    SOCKET + "send-queue-bytes", "0",
                                    SOCKET + "max-message-bytes", "plenty"));

    private SocketBackend() {}

    static BackendUnderTest declared() {
        return BackendUnderTest.of("socket", Map.of("gradwire.backend", "socket"))
                .withCapabilities(CAPABILITIES);
    }
}
