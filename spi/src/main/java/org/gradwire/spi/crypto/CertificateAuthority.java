package org.gradwire.spi.crypto;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An authority for the certificates of one run or test, made with the JDK's {@code keytool}. Its
 * key is in a file that only the user can read, until {@link #close}.
 *
 * <p>Thread-safe.
 */
public final class CertificateAuthority implements AutoCloseable {
    private static final String ALIAS = "ca";
    private static final Duration LATER = Duration.ofSeconds(5); // than any clock of files resolves
    private static final List<String> USES =
            List.of("-ext", "ku:c=digitalSignature", "-ext", "eku=serverAuth,clientAuth");

    private final Path directory;
    private final KeyTool keyTool;

    /**
     * Files for the settings of one worker: certificate, private key, and the authority's
     * certificate.
     */
    public record Issued(Path certificate, Path privateKey, Path trust) {

        /**
         * Renew the certificate, as an operator does: replace the key, then the certificate.
         *
         * @param by their contents
         */
        public void renew(Issued by) throws IOException {
            replace(privateKey, by.privateKey);
            replace(certificate, by.certificate);
        }

        /** {@return the end of the certificate's validity} */
        public Instant end() throws IOException {
            try (InputStream in = Files.newInputStream(certificate)) {
                CertificateFactory factory = CertificateFactory.getInstance("X.509");
                return ((X509Certificate) factory.generateCertificate(in))
                        .getNotAfter()
                        .toInstant();
            } catch (GeneralSecurityException e) {
                throw new IOException(certificate + " holds no certificate", e);
            }
        }
    }

    /**
     * Replace a file by a copy of another one, so that no reader sees a part of it, and its time of
     * change is later.
     */
    public static void replace(Path file, Path by) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.copy(by, next, StandardCopyOption.REPLACE_EXISTING);
        Instant before = Files.getLastModifiedTime(file).toInstant();
        Files.setLastModifiedTime(next, FileTime.from(before.plus(LATER)));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private CertificateAuthority(Path directory) {
        this.directory = directory;
        keyTool = KeyTool.forNewStore(directory.resolve("authority.p12"));
    }

    /**
     * Create an authority.
     *
     * @param directory for its files and those of its certificates; exists, and only the user can
     *     enter it
     * @throws IOException if a file cannot be written, or {@code keytool} fails
     */
    public static CertificateAuthority create(Path directory) throws IOException {
        var authority = new CertificateAuthority(directory);
        authority.keyTool.generate(
                ALIAS, List.of("-ext", "bc:c", "-ext", "ku:c=keyCertSign,cRLSign"));
        KeyTool.writePem(authority.trust(), authority.keyTool.certificate(ALIAS));
        return authority;
    }

    /** {@return the PEM file with the authority's certificate} */
    public Path trust() {
        return directory.resolve("trust.pem");
    }

    /**
     * Issue a certificate with a new key.
     *
     * @param name of the worker, unique for this authority; letters, digits, {@code -} and {@code
     *     _}
     * @param uri subject alternative name, such as {@code spiffe://example.org/group/worker0}; null
     *     for none
     * @param more further arguments of {@code keytool -genkeypair}, such as {@code -validity}
     * @throws IOException if a file cannot be written, or {@code keytool} fails
     */
    public synchronized Issued issue(String name, @Nullable String uri, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-signer", ALIAS));
        arguments.addAll(extensions(uri));
        arguments.addAll(List.of(more));
        keyTool.generate(name, arguments);
        Path certificate = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key.pem");
        KeyTool.writePem(certificate, keyTool.certificate(name));
        KeyTool.writePem(key, "PRIVATE KEY", keyTool.privateKey(name));
        return new Issued(certificate, key, trust());
    }

    private static List<String> extensions(@Nullable String uri) {
        List<String> arguments = new ArrayList<>(USES);
        if (uri != null) {
            arguments.addAll(List.of("-ext", "san=uri:" + uri));
        }
        return arguments;
    }

    /**
     * Issue a certificate for a key that this process does not have.
     *
     * @param request PKCS #10 in PEM; of its content only the public key is used
     * @param name as in {@link #issue}
     * @param uri as in {@link #issue}
     * @return the certificate in PEM
     * @throws IOException if a file cannot be written, or {@code keytool} fails, for example since
     *     the request is malformed
     */
    public synchronized String sign(String request, String name, String uri) throws IOException {
        Path in = directory.resolve(name + ".request.pem");
        Path out = directory.resolve(name + ".signed.pem");
        try {
            KeyTool.write(in, request);
            KeyTool.write(out, "");
            List<String> arguments =
                    new ArrayList<>(
                            List.of(
                                    "-gencert",
                                    "-rfc",
                                    "-alias",
                                    ALIAS,
                                    "-dname",
                                    "CN=" + name,
                                    "-startdate",
                                    "-1H",
                                    "-infile",
                                    in.toString(),
                                    "-outfile",
                                    out.toString()));
            arguments.addAll(extensions(uri));
            keyTool.run(arguments);
            return Files.readString(out);
        } finally {
            Files.deleteIfExists(in);
            Files.deleteIfExists(out);
        }
    }

    /**
     * {@return a context for the server's side of TLS, with the certificate of a name that {@link
     * #issue} was called with, and the authority's}
     */
    public SSLContext serverContext(String name) throws IOException {
        try {
            var own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            var chain = new Certificate[] {keyTool.certificate(name), keyTool.certificate(ALIAS)};
            char[] password = keyTool.password().toCharArray();
            own.setKeyEntry(name, keyTool.keys().getKey(name, password), password, chain);
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, password);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot use the certificate of " + name, e);
        }
    }

    /**
     * Write the list of revoked certificates.
     *
     * @param names of workers, possibly none
     * @return the PEM file
     * @throws IOException if the file cannot be written, or {@code keytool} fails
     */
    public synchronized Path revoke(String... names) throws IOException {
        Path list = directory.resolve("revocations.pem");
        List<String> arguments =
                new ArrayList<>(
                        List.of("-gencrl", "-rfc", "-file", list.toString(), "-alias", ALIAS));
        for (String name : names) {
            arguments.add("-id");
            arguments.add(
                    ((X509Certificate) keyTool.certificate(name)).getSerialNumber().toString());
        }
        keyTool.run(arguments);
        return list;
    }

    /** Delete the authority's key: it issues no further certificates. Issued files stay. */
    @Override
    public synchronized void close() throws IOException {
        Files.deleteIfExists(keyTool.store());
    }
}
