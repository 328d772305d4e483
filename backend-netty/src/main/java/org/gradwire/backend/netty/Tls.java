package org.gradwire.backend.netty;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.AttributeKey;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.OsNative;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Mutual TLS 1.3 with the worker's {@link Credentials}. A connection keeps the certificates that
 * were shown on it. Thread-safe.
 *
 * <p>The {@link Handshake} proves the incarnation.
 */
final class Tls {
    private static final String PROTOCOL = "TLSv1.3";
    private static final AttributeKey<List<X509Certificate>> OWN =
            AttributeKey.valueOf(Tls.class, "OWN");

    /** OpenSSL if the program has netty-tcnative, which encrypts faster, otherwise the JDK. */
    static final SslProvider PROVIDER =
            OsNative.isOn() && OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    private final Credentials credentials;
    private Contexts contexts; // guarded by this

    /** Contexts of the listener and of the dialer, with the contents they use. */
    private record Contexts(Credentials.Contents from, SslContext server, SslContext client) {}

    /**
     * Certificates that both ends of a connection have shown.
     *
     * @param own of this worker
     * @param ofPeer of the other end
     */
    record Exchanged(List<X509Certificate> own, List<X509Certificate> ofPeer) {}

    private Tls(Credentials credentials) {
        this.credentials = credentials;
        contexts = contexts(credentials.contents());
    }

    /**
     * Read the settings, and the files that they name.
     *
     * @param worker name of the worker
     * @return null when no certificate is set
     * @throws RpcConfigurationException when a setting or a file is missing or invalid
     */
    static @Nullable Tls read(Settings settings, String worker) {
        Credentials credentials = Credentials.read(settings, worker);
        return credentials == null ? null : new Tls(credentials);
    }

    private Contexts contexts(Credentials.Contents from) {
        try {
            SslContext server =
                    SslContextBuilder.forServer(from.key(), from.chain())
                            .trustManager(from.trust())
                            .clientAuth(ClientAuth.REQUIRE)
                            .sslProvider(PROVIDER)
                            .protocols(PROTOCOL)
                            .build();
            SslContext client =
                    SslContextBuilder.forClient()
                            .keyManager(from.key(), from.chain())
                            .trustManager(from.trust())
                            .endpointIdentificationAlgorithm("")
                            .sslProvider(PROVIDER)
                            .protocols(PROTOCOL)
                            .build();
            return new Contexts(from, server, client);
        } catch (SSLException | IllegalArgumentException e) {
            throw new RpcConfigurationException(
                    "TLS cannot be used with %s: %s".formatted(credentials, e.getMessage()), e);
        }
    }

    private synchronized Contexts contexts() {
        Credentials.Contents now = credentials.contents();
        if (!now.equals(contexts.from())) {
            contexts = contexts(now);
        }
        return contexts;
    }

    SslHandler serverHandler(Channel channel) {
        Contexts now = contexts();
        channel.attr(OWN).set(now.from().chain());
        return now.server().newHandler(channel.alloc());
    }

    SslHandler clientHandler(Channel channel) {
        Contexts now = contexts();
        channel.attr(OWN).set(now.from().chain());
        return now.client().newHandler(channel.alloc()); // without an address: no resumption
    }

    /** {@return the certificates that this worker shows on new connections} */
    List<X509Certificate> chain() {
        return credentials.contents().chain();
    }

    /**
     * {@return why the worker at the other end of a connection is not the one of a name; null if it
     * is, or no identity is set}
     *
     * <p>Verifies its certificates again, since the handshake of a resumed session does not.
     *
     * @param channel whose TLS handshake is complete
     */
    @Nullable String refusal(Channel channel, String name) {
        return refusal(certificates(channel), name);
    }

    /**
     * {@return the certificates of both ends of a connection}
     *
     * @param channel whose TLS handshake is complete
     */
    static Exchanged exchanged(Channel channel) {
        return new Exchanged(channel.attr(OWN).get(), certificates(channel));
    }

    private static List<X509Certificate> certificates(Channel channel) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            Certificate[] shown =
                    channel.pipeline()
                            .get(SslHandler.class)
                            .engine()
                            .getSession()
                            .getPeerCertificates();
            for (Certificate certificate : shown) {
                chain.add((X509Certificate) certificate);
            }
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException("the handshake requires a certificate", e);
        }
        return chain;
    }

    /** {@return the reason why a chain is no longer that of a worker; null if it is} */
    @Nullable String refusal(List<X509Certificate> chain, String name) {
        return credentials.refusal(chain, name);
    }

    /** {@return whether a connection failed because an end refused the certificate of its peer} */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    /** {@return the reason why a connection failed, in one sentence} */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof CertificateExpiredException)) {
            cause = cause.getCause();
        }
        String text = cause.getMessage();
        String what = text == null ? cause.getClass().getSimpleName() : text;
        return cause instanceof CertificateExpiredException
                ? "the peer's certificate has expired (" + what + ")"
                : what;
    }
}
