package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.Credentials;
import org.gradwire.spi.crypto.TrustManagers;
import org.gradwire.spi.store.StoreContext;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The TLS of connections to etcd. */
final class EtcdTls {
    private EtcdTls() {}

    /**
     * {@return the context of connections; null if they have no TLS}
     *
     * <p>etcd's certificate must contain the name of its host. The worker shows its own certificate
     * if it has one and etcd requests it.
     *
     * @throws RpcConfigurationException when a file cannot be used
     */
    static @Nullable SSLContext context(EtcdAddress address, StoreContext context) {
        if (!address.endpoints().getFirst().getScheme().equals("https")) {
            return null;
        }
        Settings settings = context.settings();
        Credentials credentials = Credentials.read(settings, context.self().name());
        String file = settings.find(EtcdSettings.TRUST).orElse("");
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(
                    credentials == null
                            ? null
                            : new KeyManager[] {new WorkerKeyManager(credentials)},
                    trust(file, credentials),
                    null);
            return tls;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new RpcConfigurationException(
                    "%s=%s cannot be used: %s; expected a PEM file with certificates"
                            .formatted(EtcdSettings.TRUST, file, e),
                    e);
        }
    }

    /** {@return null for the authorities of the JVM} */
    private static TrustManager @Nullable [] trust(String file, @Nullable Credentials credentials)
            throws IOException, GeneralSecurityException {
        if (!file.isBlank()) {
            return new TrustManager[] {TrustManagers.of(authorities(Path.of(file)), null)};
        }
        return credentials == null ? null : new TrustManager[] {credentials.contents().trust()};
    }

    private static List<X509Certificate> authorities(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (all.isEmpty()) {
                throw new IOException("it has no certificate");
            }
            return all;
        }
    }
}
