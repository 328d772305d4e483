package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Fuzz target: the identity, with a chain of certificates, that a client sends in the handshake of
 * the TCP store. Only the one that the worker signed may be accepted.
 */
public final class IdentityTarget {
    private static final String WORKER = "worker1";
    private static final Transcript TRANSCRIPT = new Transcript(side(1), side(2));

    private IdentityTarget() {}

    private static byte[] side(int value) {
        byte[] side = new byte[Transcript.SIDE_BYTES];
        Arrays.fill(side, (byte) value);
        return side;
    }

    /** The identities of a verifier and of a worker, whose certificates all processes share. */
    private static final class Certified {
        static final HandshakeIdentity IDENTITY = create();

        private static HandshakeIdentity create() {
            try {
                Issued files = files(Path.of("target", "fuzz-authority").toAbsolutePath());
                RpcOptions options =
                        RpcOptions.builder()
                                .set(Settings.CERTIFICATE, files.certificate().toString())
                                .set(Settings.PRIVATE_KEY, files.privateKey().toString())
                                .set(Settings.TRUST, files.trust().toString())
                                .set(Settings.IDENTITY, "spiffe://fuzz/group/{worker}")
                                .build();
                Settings settings =
                        LayeredSettings.collect(
                                options,
                                RuntimeSettings.ALL,
                                IdentityTarget.class.getClassLoader());
                return Objects.requireNonNull(
                        StoreSecurity.of(settings, new WorkerInfo(1, WORKER)).identity());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Issue the certificate, unless another process has. */
        private static Issued files(Path directory) throws IOException {
            Path certificate = directory.resolve(WORKER + ".pem");
            if (!Files.exists(certificate)) {
                Path made = Files.createTempDirectory(Path.of("target"), "authority");
                try (var authority = CertificateAuthority.create(made)) {
                    authority.issue(WORKER, "spiffe://fuzz/group/" + WORKER);
                    Files.move(made, directory);
                } catch (FileAlreadyExistsException _) { // of another process
                }
            }
            return new Issued(
                    certificate,
                    directory.resolve(WORKER + ".key.pem"),
                    directory.resolve("trust.pem"));
        }
    }

    /** Verify an identity. */
    public static void fuzzerTestOneInput(byte[] input) {
        CertifiedWorker worker;
        try {
            worker = Certified.IDENTITY.verifyClient(input, TRANSCRIPT);
        } catch (HandshakeRefusedException _) { // the expected end
            return;
        }
        if (!worker.name().equals(WORKER)) {
            throw new AssertionError("accepted as " + worker.name());
        }
        if (!isPrefixOfOwn(input)) {
            throw new AssertionError("accepted with another name or chain");
        }
        requireForOneUse(input);
    }

    /** {@return whether the name and the certificates are those of the worker} */
    private static boolean isPrefixOfOwn(byte[] input) {
        byte[] own = Certified.IDENTITY.ofClient(TRANSCRIPT);
        int signed = 2 + WORKER.length();
        signed += 2 + Short.toUnsignedInt(ByteBuffer.wrap(own).getShort(signed));
        return Arrays.equals(input, 0, Math.min(signed, input.length), own, 0, signed);
    }

    /** Require that an accepted identity is refused for another connection and for the server. */
    private static void requireForOneUse(byte[] accepted) {
        try {
            Certified.IDENTITY.verifyClient(accepted, new Transcript(side(1), side(3)));
            throw new AssertionError("accepted for another connection");
        } catch (HandshakeRefusedException _) { // as it must be
        }
        try {
            Certified.IDENTITY.verifyServer(accepted, TRANSCRIPT);
            throw new AssertionError("accepted as the server's");
        } catch (HandshakeRefusedException _) { // as it must be
        }
    }

    /** {@return identities for this connection, for another one, and of the server} */
    public static List<byte[]> seeds() {
        return List.of(
                Certified.IDENTITY.ofClient(TRANSCRIPT),
                Certified.IDENTITY.ofClient(new Transcript(side(1), side(3))),
                Certified.IDENTITY.ofServer(TRANSCRIPT));
    }
}
