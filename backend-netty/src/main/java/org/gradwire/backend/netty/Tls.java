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
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLException;

/**
 * TLS 1.3 in which both ends show a certificate, from PEM files that are read again when they have
 * changed. Connections that are open keep what they were opened with.
 *
 * <p>A certificate says that its holder belongs to the group, not which worker it is: names in it
 * are not compared. Which worker it is shows the {@link Greeting}.
 */
final class Tls {
    private static final System.Logger LOG = System.getLogger(Tls.class.getPackageName());
    private static final String PROTOCOL = "TLSv1.3";

    /** OpenSSL where the program has netty-tcnative, which encrypts faster; else the JDK's. */
    static final SslProvider PROVIDER =
            OsNative.isOn() && OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    private final PemFiles files;
    private Contexts contexts; // guarded by this
    private List<FileTime> times; // guarded by this

    /** What both roles need. */
    private record Contexts(SslContext server, SslContext client) {}

    private Tls(PemFiles files) {
        this.files = files;
        times = times(files);
        contexts = load(files);
    }

    /**
     * Read the settings, and the files that they name.
     *
     * @return null when none is set
     * @throws RpcConfigurationException when a part is missing or wrong
     */
    static @Nullable Tls read(Settings settings) {
        PemFiles files = PemFiles.read(settings);
        return files == null ? null : new Tls(files);
    }

    private static Contexts load(PemFiles files) {
        PemFiles.Contents contents = files.load();
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
                times.add(FileTime.fromMillis(0)); // what is missing is reported when it is read
            }
        }
        return times;
    }

    /** {@return the files' contents, read again if a file has changed and they make sense} */
    private synchronized Contexts contexts() {
        List<FileTime> now = times(files);
        if (!now.equals(times)) {
            try {
                contexts = load(files);
                LOG.log(Level.INFO, "read {0} again, as they have changed", files);
            } catch (RpcConfigurationException e) {
                LOG.log(
                        Level.WARNING,
                        "{0} have changed and cannot be used: {1}; new connections go on with what was read before",
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

    /** {@return whether a connection failed since one end refused the other's certificate} */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    /** {@return in one sentence why a connection failed} */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof CertificateExpiredException)) {
            cause = cause.getCause();
        }
        String text = cause.getMessage();
        String what = text == null ? cause.getClass().getSimpleName() : text;
        return cause instanceof CertificateExpiredException
                ? "the other's certificate has expired (" + what + ")"
                : what;
    }
}
