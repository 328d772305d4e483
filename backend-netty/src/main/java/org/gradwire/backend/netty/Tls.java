package org.gradwire.backend.netty;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.OsNative;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Mutual TLS 1.3 with certificates from PEM files, which are read again when they have changed.
 * Open connections keep their certificates. Thread-safe.
 *
 * <p>With a {@link CertificateIdentity}, a certificate proves the name of its worker; without, only
 * its membership in the group. The {@link Handshake} proves the incarnation.
 */
final class Tls {
    private static final System.Logger LOG = System.getLogger(Tls.class.getPackageName());
    private static final String PROTOCOL = "TLSv1.3";

    /** OpenSSL if the program has netty-tcnative, which encrypts faster, otherwise the JDK. */
    static final SslProvider PROVIDER =
            OsNative.isOn() && OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    private final PemFiles files;
    private final @Nullable CertificateIdentity certificateIdentity;
    private final String worker;
    private Contexts contexts; // guarded by this
    private List<FileTime> times; // guarded by this

    /** Contexts of the listener and of the dialer. */
    private record Contexts(SslContext server, SslContext client) {}

    private Tls(PemFiles files, @Nullable CertificateIdentity certificateIdentity, String worker) {
        this.files = files;
        this.certificateIdentity = certificateIdentity;
        this.worker = worker;
        times = times(files);
        contexts = load();
    }

    /**
     * Read the settings, and the files that they name.
     *
     * @param worker name of the worker, which its certificate must contain if an identity is set
     * @return null when none is set
     * @throws RpcConfigurationException when a setting or a file is missing or invalid
     */
    static @Nullable Tls read(Settings settings, String worker) {
        PemFiles files = PemFiles.read(settings);
        CertificateIdentity certificateIdentity = CertificateIdentity.read(settings);
        if (files == null && certificateIdentity != null) {
            throw new RpcConfigurationException(
                    "%s is set, but no certificate; set %s, %s and %s"
                            .formatted(
                                    SettingKeys.IDENTITY,
                                    SettingKeys.CERTIFICATE,
                                    SettingKeys.KEY,
                                    SettingKeys.TRUST));
        }
        return files == null ? null : new Tls(files, certificateIdentity, worker);
    }

    private Contexts load() {
        PemFiles.Contents contents = files.load();
        String mismatch = mismatch(contents.chain().getFirst(), worker);
        if (mismatch != null) {
            throw new RpcConfigurationException(
                    "%s cannot be used by %s: %s; see %s"
                            .formatted(files, worker, mismatch, SettingKeys.IDENTITY));
        }
        try {
            SslContext server =
                    SslContextBuilder.forServer(contents.key(), contents.chain())
                            .trustManager(contents.trusted())
                            .clientAuth(ClientAuth.REQUIRE)
                            .sslProvider(PROVIDER)
                            .protocols(PROTOCOL)
                            .build();
            SslContext client =
                    SslContextBuilder.forClient()
                            .keyManager(contents.key(), contents.chain())
                            .trustManager(contents.trusted())
                            .endpointIdentificationAlgorithm("")
                            .sslProvider(PROVIDER)
                            .protocols(PROTOCOL)
                            .build();
            return new Contexts(server, client);
        } catch (SSLException | IllegalArgumentException e) {
            throw new RpcConfigurationException(
                    "TLS cannot be used with %s: %s".formatted(files, e.getMessage()), e);
        }
    }

    private static List<FileTime> times(PemFiles files) {
        List<FileTime> times = new ArrayList<>();
        for (Path path : files.paths()) {
            try {
                times.add(Files.getLastModifiedTime(path));
            } catch (IOException _) {
                times.add(FileTime.fromMillis(0)); // a missing file is reported when it is read
            }
        }
        return times;
    }

    /** {@return the contexts, from the files' new contents if they have changed and are valid} */
    private synchronized Contexts contexts() {
        List<FileTime> now = times(files);
        if (!now.equals(times)) {
            try {
                contexts = load();
                LOG.log(Level.INFO, "read {0} again, since they have changed", files);
            } catch (RpcConfigurationException e) {
                LOG.log(
                        Level.WARNING,
                        "{0} have changed and cannot be used: {1}; new connections use the previous contents",
                        files,
                        e.getMessage());
            }
            times = now;
        }
        return contexts;
    }

    SslHandler serverHandler(Channel channel) {
        return contexts().server().newHandler(channel.alloc());
    }

    SslHandler clientHandler(Channel channel) {
        return contexts().client().newHandler(channel.alloc());
    }

    private @Nullable String mismatch(Certificate certificate, String name) {
        return certificateIdentity == null ? null : certificateIdentity.mismatch(certificate, name);
    }

    /**
     * {@return why the worker at the other end of a connection is not the one of a name, or null if
     * it is, or no identity is set}
     *
     * @param channel whose TLS handshake is complete
     */
    @Nullable String mismatch(Channel channel, String name) {
        try {
            Certificate[] chain =
                    channel.pipeline()
                            .get(SslHandler.class)
                            .engine()
                            .getSession()
                            .getPeerCertificates();
            return mismatch(chain[0], name);
        } catch (SSLPeerUnverifiedException e) {
            return "it has no certificate (" + e.getMessage() + ")";
        }
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
