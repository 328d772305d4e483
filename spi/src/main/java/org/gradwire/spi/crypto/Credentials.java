package org.gradwire.spi.crypto;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.X509TrustManager;

/**
 * The certificate of a worker, its private key, and what the worker trusts, from PEM files that are
 * read again when they have changed.
 *
 * <p>If an identity is set, a certificate proves the name of its worker; otherwise only that it
 * belongs to the group. Thread-safe.
 */
public final class Credentials {
    private static final System.Logger LOG = System.getLogger(Credentials.class.getName());
    private static final String ANY_KEY_EXCHANGE = "UNKNOWN";
    private static final int HEXADECIMAL = 16; // as OpenSSL prints serial numbers

    private final PemFiles files;
    private final @Nullable CertificateIdentity identity;
    private final String worker;
    private Contents contents; // guarded by this
    private List<FileTime> times; // guarded by this

    /**
     * Contents of the files.
     *
     * @param chain the worker's certificate, then those between it and a trusted one
     * @param trust verifies the chains of peers: signatures, validity and, if lists are configured,
     *     revocation of the first certificate
     */
    public record Contents(PrivateKey key, List<X509Certificate> chain, X509TrustManager trust) {

        /** {@return the signature of a text by the key} */
        public byte[] sign(byte[] text) {
            try {
                return Signatures.sign(key, text);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("the key has signed before", e);
            }
        }
    }

    private Credentials(PemFiles files, @Nullable CertificateIdentity identity, String worker) {
        this.files = files;
        this.identity = identity;
        this.worker = worker;
        times = times(files);
        contents = load();
    }

    /**
     * Read the settings, and the files that they name.
     *
     * @param worker name of the worker, which its certificate must contain if an identity is set
     * @return null when none is set
     * @throws RpcConfigurationException when a setting or a file is missing or invalid
     */
    public static @Nullable Credentials read(Settings settings, String worker) {
        PemFiles files = PemFiles.read(settings);
        CertificateIdentity identity = CertificateIdentity.read(settings);
        if (files == null && identity != null) {
            throw new RpcConfigurationException(
                    "%s is set, but no certificate; set %s, %s and %s"
                            .formatted(
                                    Settings.IDENTITY,
                                    Settings.CERTIFICATE,
                                    Settings.PRIVATE_KEY,
                                    Settings.TRUST));
        }
        return files == null ? null : new Credentials(files, identity, worker);
    }

    private Contents load() {
        PemFiles.Contents read = files.load();
        String mismatch = mismatch(read.chain().getFirst(), worker);
        if (mismatch != null) {
            throw new RpcConfigurationException(
                    "%s cannot be used by %s: %s; see %s"
                            .formatted(files, worker, mismatch, Settings.IDENTITY));
        }
        try {
            return new Contents(
                    read.key(), read.chain(), TrustManagers.of(read.trusted(), read.revocations()));
        } catch (GeneralSecurityException e) {
            throw new RpcConfigurationException(
                    "%s cannot be used: %s".formatted(files, e.getMessage()), e);
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

    /**
     * {@return the contents; new ones, not equal to the last, if the files have changed and are
     * valid}
     */
    public synchronized Contents contents() {
        List<FileTime> now = times(files);
        if (!now.equals(times)) {
            try {
                contents = load();
                X509Certificate own = contents.chain().getFirst();
                LOG.log(
                        Level.INFO,
                        "read {0} again, since they have changed; the certificate has the serial number {1} and expires at {2}",
                        files,
                        own.getSerialNumber().toString(HEXADECIMAL),
                        own.getNotAfter().toInstant());
            } catch (RpcConfigurationException e) {
                LOG.log(
                        Level.WARNING,
                        "{0} have changed and cannot be used: {1}; new connections use the previous contents",
                        files,
                        e.getMessage());
            }
            times = now;
        }
        return contents;
    }

    private @Nullable String mismatch(Certificate certificate, String name) {
        return identity == null ? null : identity.mismatch(certificate, name);
    }

    /**
     * {@return the reason why a chain is not that of a worker: it is not trusted, not valid now,
     * revoked, or names another worker; null if it is}
     */
    public @Nullable String refusal(List<X509Certificate> chain, String name) {
        try {
            contents()
                    .trust()
                    .checkClientTrusted(chain.toArray(X509Certificate[]::new), ANY_KEY_EXCHANGE);
            return mismatch(chain.getFirst(), name);
        } catch (CertificateException e) {
            return "its certificate is refused (%s)".formatted(reason(e));
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    /** {@return whether a signature of a text was made by the key of a certificate} */
    public static boolean isSignedBy(X509Certificate certificate, byte[] text, byte[] signature) {
        try {
            return Signatures.verify(certificate.getPublicKey(), text, signature);
        } catch (GeneralSecurityException _) {
            return false; // not a signature of this algorithm
        }
    }

    @Override
    public String toString() {
        return files.toString();
    }
}
