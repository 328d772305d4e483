package org.gradwire.conformance.test;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.spi.BackendProvider;

import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;

/** The project's backends, with the settings and capabilities under test. */
final class Backends {
    private static final String TENSORPIPE = "gradwire.tensorpipe.";

    private static final String NETTY = "gradwire.netty.";

    /** For rules about peers that must not be able to connect: each waits as long. */
    private static final String UNTIL_REFUSED = "5s";

    private static final Capabilities NETTY_CAPABILITIES =
            Capabilities.NONE
                    .withIncarnations()
                    .withAuthentication()
                    .withSurvivalOfRubbish()
                    .withPorts("netty.port")
                    .withCertificates(Map.of(NETTY + "connect-timeout", UNTIL_REFUSED))
                    .withSendQueue(16L << 20, Map.of(NETTY + "send-queue-bytes", "16m"))
                    .withMessageSize(8L << 20, Map.of(NETTY + "max-message-bytes", "8m"))
                    .withConnectTime(Duration.ofSeconds(1), Map.of(NETTY + "connect-timeout", "1s"))
                    .withWrongSettings(
                            Map.of(
                                    NETTY + "max-message-bytes", "plenty",
                                    NETTY + "port", "65536",
                                    NETTY + "host", "0.0.0.0"));

    private static final Capabilities TENSORPIPE_CAPABILITIES =
            Capabilities.NONE
                    .withIncarnations()
                    .withAuthentication()
                    .withSurvivalOfRubbish()
                    .withCertificates(
                            Map.of(
                                    TENSORPIPE + "transport", "udp",
                                    TENSORPIPE + "host", "127.0.0.1",
                                    TENSORPIPE + "connect-timeout", UNTIL_REFUSED))
                    .withSendQueue(16L << 20, Map.of(TENSORPIPE + "send-queue-bytes", "16m"))
                    .withMessageSize(8L << 20, Map.of(TENSORPIPE + "max-message-bytes", "8m"))
                    .withConnectTime(
                            Duration.ofSeconds(1), Map.of(TENSORPIPE + "connect-timeout", "1s"))
                    .withWrongSettings(
                            Map.of(
                                    TENSORPIPE + "max-message-bytes", "plenty",
                                    TENSORPIPE + "mtu", "1500",
                                    TENSORPIPE + "idle", "never"));

    private Backends() {}

    static BackendUnderTest inproc() {
        return BackendUnderTest.of("inproc", Map.of("gradwire.backend", "inproc"))
                .withCapabilities(Capabilities.NONE.withOrder().withSurvivalOfRubbish());
    }

    static BackendUnderTest tensorpipe() {
        return BackendUnderTest.of(
                        "tensorpipe",
                        Map.of("gradwire.backend", "tensorpipe", TENSORPIPE + "driver", "embedded"))
                .withCapabilities(TENSORPIPE_CAPABILITIES);
    }

    static BackendUnderTest netty() {
        return BackendUnderTest.of("netty", Map.of("gradwire.backend", "netty"))
                .withCapabilities(NETTY_CAPABILITIES);
    }

    /** Tensorpipe over UDP, as between hosts, but on one. */
    static BackendUnderTest tensorpipeUdp() {
        return tensorpipe()
                .withName("tensorpipe-udp")
                .withSettings(Map.of(TENSORPIPE + "transport", "udp"));
    }

    static BackendProvider provider(BackendUnderTest backend) {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(backend.providerName()))
                .findFirst()
                .orElseThrow();
    }
}
