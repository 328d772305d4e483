package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.WorkerName;
import org.gradwire.spi.Settings;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.crypto.Credentials;

import java.io.ByteArrayInputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves by certificates which workers the two sides of a handshake are. Each signs its name, its
 * certificates and the {@link Transcript}, from which the keys of the connection follow, so a
 * signature is valid for this connection only.
 *
 * <pre>
 * identity   name:2+n  certificates:2+n (PkiPath, X.509)  signature:2+n
 * </pre>
 *
 * <p>Thread-safe.
 */
final class HandshakeIdentity {
    private static final int MAX_CERTIFICATES = 8;
    private static final String ENCODING = "PkiPath";
    private static final byte[] SERVER_LABEL = ascii("gradwire-store-5 server signature");
    private static final byte[] CLIENT_LABEL = ascii("gradwire-store-5 client signature");

    private final Credentials credentials;
    private final String worker;

    /**
     * Create the identity of a worker.
     *
     * @param worker its name, which its certificate contains if an identity is set
     */
    HandshakeIdentity(Credentials credentials, String worker) {
        this.credentials = credentials;
        this.worker = worker;
    }

    /** {@return the certificates with which this worker proves itself from now on} */
    List<X509Certificate> certificates() {
        return credentials.contents().chain();
    }

    /** {@return the identity that this worker sends as the server} */
    byte[] ofServer(Transcript transcript) {
        return identity(SERVER_LABEL, transcript);
    }

    /** {@return the identity that this worker sends as a client} */
    byte[] ofClient(Transcript transcript) {
        return identity(CLIENT_LABEL, transcript);
    }

    private byte[] identity(byte[] label, Transcript transcript) {
        Credentials.Contents with = credentials.contents();
        byte[] name = worker.getBytes(StandardCharsets.UTF_8);
        byte[] chain = encode(with.chain());
        byte[] signature = with.sign(text(label, name, chain, transcript));
        int length = 3 * Short.BYTES + name.length + chain.length + signature.length;
        if (length > SealedOutput.MAX_PLAIN_BYTES) {
            throw new RpcConfigurationException(
                    "%s has certificates of %d bytes; the store accepts %d with name and signature"
                            .formatted(credentials, chain.length, SealedOutput.MAX_PLAIN_BYTES));
        }
        ByteBuffer identity = ByteBuffer.allocate(length);
        for (byte[] part : List.of(name, chain, signature)) {
            identity.putShort((short) part.length).put(part);
        }
        return identity.array();
    }

    private static byte[] encode(List<X509Certificate> chain) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertPath(chain)
                    .getEncoded(ENCODING);
        } catch (CertificateException e) {
            throw new IllegalStateException("they were decoded before", e);
        }
    }

    private static byte[] text(
            byte[] label, byte[] name, byte[] certificates, Transcript transcript) {
        byte[] sides = transcript.bytes();
        return ByteBuffer.allocate(
                        label.length
                                + 2 * Short.BYTES
                                + name.length
                                + certificates.length
                                + sides.length)
                .put(label)
                .putShort((short) name.length)
                .put(name)
                .putShort((short) certificates.length)
                .put(certificates)
                .put(sides)
                .array();
    }

    /**
     * Verify the identity that a server sent.
     *
     * @throws HandshakeRefusedException when it is malformed, its certificate is not accepted or
     *     names another worker, or it was signed for another connection
     */
    CertifiedWorker verifyServer(byte[] identity, Transcript transcript)
            throws HandshakeRefusedException {
        return verify(identity, SERVER_LABEL, transcript);
    }

    /** Verify the identity that a client sent, as {@link #verifyServer}. */
    CertifiedWorker verifyClient(byte[] identity, Transcript transcript)
            throws HandshakeRefusedException {
        return verify(identity, CLIENT_LABEL, transcript);
    }

    private CertifiedWorker verify(byte[] identity, byte[] label, Transcript transcript)
            throws HandshakeRefusedException {
        try {
            ByteBuffer in = ByteBuffer.wrap(identity);
            byte[] name = part(in);
            byte[] certificates = part(in);
            List<X509Certificate> chain = decode(certificates);
            byte[] signature = part(in);
            if (in.hasRemaining()) {
                throw new HandshakeRefusedException("its identity has bytes after its end");
            }
            String claimed = new String(name, StandardCharsets.UTF_8);
            if (!WorkerName.isValid(claimed)) {
                throw new HandshakeRefusedException(
                        "'%s' is not the name of a worker".formatted(UntrustedText.quote(claimed)));
            }
            String refusal = credentials.refusal(chain, claimed);
            if (refusal != null) {
                throw new HandshakeRefusedException(
                        "it is %s, and %s; see %s, %s and %s"
                                .formatted(
                                        claimed,
                                        refusal,
                                        Settings.TRUST,
                                        Settings.REVOCATIONS,
                                        Settings.IDENTITY));
            }
            if (!Credentials.isSignedBy(
                    chain.getFirst(), text(label, name, certificates, transcript), signature)) {
                throw new HandshakeRefusedException(
                        "it is %s, and this connection is not signed by the key of its certificate"
                                .formatted(claimed));
            }
            return new CertifiedWorker(claimed, chain, credentials);
        } catch (BufferUnderflowException _) {
            throw new HandshakeRefusedException("its identity is truncated");
        }
    }

    private static byte[] part(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        in.get(part);
        return part;
    }

    private static List<X509Certificate> decode(byte[] encoded) throws HandshakeRefusedException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            List<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertPath(new ByteArrayInputStream(encoded), ENCODING)
                            .getCertificates();
            for (Certificate certificate : certificates) {
                chain.add((X509Certificate) certificate);
            }
        } catch (CertificateException e) {
            throw new HandshakeRefusedException(
                    "its certificates cannot be read: "
                            + UntrustedText.quote(String.valueOf(e.getMessage())));
        }
        if (chain.isEmpty() || chain.size() > MAX_CERTIFICATES) {
            throw new HandshakeRefusedException(
                    "it sent %d certificates; expected 1 to %d"
                            .formatted(chain.size(), MAX_CERTIFICATES));
        }
        return chain;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
