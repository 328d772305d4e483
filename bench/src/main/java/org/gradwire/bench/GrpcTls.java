package org.gradwire.bench;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;

import java.io.File;
import java.util.Optional;

import javax.net.ssl.SSLException;

/**
 * Mutual TLS for gRPC, with the certificate files of the netty backend's environment. The
 * certificate must name {@code localhost}, which gRPC's client verifies.
 */
record GrpcTls(File certificate, File key, File trust) {

    /** {@return the configured files; empty if there are none} */
    static Optional<GrpcTls> ofEnvironment() {
        return Optional.ofNullable(System.getenv("GRADWIRE_NETTY_CERTIFICATE"))
                .map(certificate -> new GrpcTls(new File(certificate), file("KEY"), file("TRUST")));
    }

    private static File file(String what) {
        String variable = "GRADWIRE_NETTY_" + what;
        String name = System.getenv(variable);
        if (name == null) {
            throw new IllegalArgumentException(
                    variable + " is not set, but GRADWIRE_NETTY_CERTIFICATE is");
        }
        return new File(name);
    }

    SslContext server() throws SSLException {
        return GrpcSslContexts.forServer(certificate, key)
                .trustManager(trust)
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    SslContext client() throws SSLException {
        return GrpcSslContexts.forClient().keyManager(certificate, key).trustManager(trust).build();
    }
}
