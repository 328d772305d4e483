package org.gradwire.conformance.test;

import org.gradwire.conformance.NetworkSecrecy;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Tests netty with certificates: both ends of a connection prove theirs by TLS. */
class NettyNetworkSecrecyTest extends NetworkSecrecy {
    private static CertificateAuthority.@Nullable Issued files;

    @BeforeAll
    static void issue(@TempDir Path directory) throws IOException {
        try (var authority = CertificateAuthority.create(directory)) {
            files = authority.issue("worker", null);
        }
    }

    @Override
    protected BackendUnderTest backend() {
        CertificateAuthority.Issued issued = Objects.requireNonNull(files);
        return netty(
                Map.of(
                        Settings.CERTIFICATE,
                        issued.certificate().toString(),
                        Settings.PRIVATE_KEY,
                        issued.privateKey().toString(),
                        Settings.TRUST,
                        issued.trust().toString()));
    }

    @Override
    protected BackendUnderTest plainBackend() {
        return netty(Map.of("gradwire.netty.plain", "true"));
    }

    private static BackendUnderTest netty(Map<String, String> settings) {
        return BackendUnderTest.of("netty", Map.of("gradwire.backend", "netty"))
                .withSettings(settings);
    }
}
