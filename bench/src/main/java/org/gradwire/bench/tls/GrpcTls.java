package org.gradwire.bench.tls;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.net.ssl.SSLException;

/**
 * Mutual TLS for gRPC, with PEM files. The server's certificate must name the host to which the
 * client connects.
 */
public record GrpcTls(File certificate, File key, File trust) {
    private static final int FILES = 3;

    /** The settings of these files, in the order of {@link #arguments}. */
    private static final List<String> SETTINGS =
            List.of(Settings.CERTIFICATE, Settings.PRIVATE_KEY, Settings.TRUST);

    /** {@return the use of issued files} */
    public static GrpcTls of(Issued files) {
        return new GrpcTls(
                files.certificate().toFile(), files.privateKey().toFile(), files.trust().toFile());
    }

    /**
     * {@return the certificate of Gradwire's workers, if they encrypt by TLS too: over netty}
     *
     * @param environment of the workers
     */
    public static Optional<GrpcTls> ofWorkers(Map<String, String> environment) {
        boolean isNetty = "netty".equals(environment.get("GRADWIRE_BACKEND"));
        return isNetty && environment.containsKey(Settings.environmentName(Settings.CERTIFICATE))
                ? ofArguments(SETTINGS.stream().map(key -> file(environment, key)).toList())
                : Optional.empty();
    }

    private static String file(Map<String, String> environment, String key) {
        String name = environment.get(Settings.environmentName(key));
        if (name == null) {
            throw new IllegalArgumentException(
                    "%s is not set, but %s is"
                            .formatted(
                                    Settings.environmentName(key),
                                    Settings.environmentName(Settings.CERTIFICATE)));
        }
        return name;
    }

    /** {@return the files that arguments of a process begin with; empty if there are none} */
    public static Optional<GrpcTls> ofArguments(List<String> arguments) {
        return arguments.size() < FILES
                ? Optional.empty()
                : Optional.of(
                        new GrpcTls(
                                new File(arguments.get(0)),
                                new File(arguments.get(1)),
                                new File(arguments.get(2))));
    }

    /** {@return the arguments of a process that uses these files} */
    public List<String> arguments() {
        return List.of(certificate.getPath(), key.getPath(), trust.getPath());
    }

    public SslContext server() throws SSLException {
        return GrpcSslContexts.forServer(certificate, key)
                .trustManager(trust)
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    public SslContext client() throws SSLException {
        return GrpcSslContexts.forClient().keyManager(certificate, key).trustManager(trust).build();
    }
}
