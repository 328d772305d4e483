package org.gradwire.bench.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files with which gRPC encrypts. */
class GrpcTlsTest {
    private static final GrpcTls TLS =
            new GrpcTls(new File("worker.pem"), new File("worker.key"), new File("ca.pem"));

    @Test
    void argumentsNameTheFiles() {
        assertEquals(Optional.of(TLS), GrpcTls.ofArguments(TLS.arguments()));
        assertEquals(Optional.empty(), GrpcTls.ofArguments(List.of()));
    }

    @Test
    void filesAreThoseOfWorkersOverNetty() {
        Map<String, String> environment =
                Map.of(
                        "GRADWIRE_BACKEND", "netty",
                        "GRADWIRE_CERTIFICATE", "worker.pem",
                        "GRADWIRE_PRIVATE_KEY", "worker.key",
                        "GRADWIRE_TRUST", "ca.pem");
        assertEquals(Optional.of(TLS), GrpcTls.ofWorkers(environment));
    }

    @Test
    void localCallsOfTensorPipeAreNotEncrypted() {
        var environment = Map.of("GRADWIRE_CERTIFICATE", "worker.pem");
        assertEquals(Optional.empty(), GrpcTls.ofWorkers(environment));
        assertEquals(Optional.empty(), GrpcTls.ofWorkers(Map.of("GRADWIRE_BACKEND", "netty")));
    }

    @Test
    void missingFileIsNamed() {
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                GrpcTls.ofWorkers(
                                        Map.of(
                                                "GRADWIRE_BACKEND", "netty",
                                                "GRADWIRE_CERTIFICATE", "worker.pem")));
        assertEquals(
                "GRADWIRE_PRIVATE_KEY is not set, but GRADWIRE_CERTIFICATE is",
                failure.getMessage());
    }
}
