package org.gradwire.spi.crypto;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority for the certificates of one run or test, made with the JDK's {@code keytool}. Its
 * key is in a file that only the user can read, until {@link #close}.
 *
 * <p>Thread-safe.
 */
public final class CertificateAuthority implements AutoCloseable {
    private static final String ALIAS = "ca";
    private static final String PASSWORD_VARIABLE = "GRADWIRE_KEYTOOL_PASSWORD";
    private static final int PASSWORD_BYTES = 32;
    private static final long KEYTOOL_SECONDS = 60;

    private final Path directory;
    private final String password;

    /**
     * Files for the settings of one worker: certificate, private key, and the authority's
     * certificate.
     */
    public record Issued(Path certificate, Path privateKey, Path trust) {}

    private CertificateAuthority(Path directory, String password) {
        this.directory = directory;
        this.password = password;
    }

    /**
     * Create an authority.
     *
     * @param directory for its files and those of its certificates; exists, and only the user can
     *     enter it
     * @throws IOException if a file cannot be written, or {@code keytool} fails
     */
    public static CertificateAuthority create(Path directory) throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        var authority = new CertificateAuthority(directory, HexFormat.of().formatHex(random));
        authority.generate(ALIAS, List.of("-ext", "bc:c", "-ext", "ku:c=keyCertSign,cRLSign"));
        writePem(authority.trust(), authority.certificate(ALIAS));
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
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-signer",
                                ALIAS,
                                "-ext",
                                "ku:c=digitalSignature",
                                "-ext",
                                "eku=serverAuth,clientAuth"));
        if (uri != null) {
            arguments.addAll(List.of("-ext", "san=uri:" + uri));
        }
        arguments.addAll(List.of(more));
        generate(name, arguments);
        Path certificate = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key.pem");
        writePem(certificate, certificate(name));
        writePem(key, "PRIVATE KEY", privateKey(name));
        return new Issued(certificate, key, trust());
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
            arguments.add(((X509Certificate) certificate(name)).getSerialNumber().toString());
        }
        keytool(arguments);
        return list;
    }

    /** Delete the authority's key: it issues no further certificates. Issued files stay. */
    @Override
    public synchronized void close() throws IOException {
        Files.deleteIfExists(store());
    }

    private Path store() {
        return directory.resolve("authority.p12");
    }

    private void generate(String alias, List<String> more) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-alias",
                                alias,
                                "-dname",
                                "CN=" + alias,
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-startdate",
                                "-1H"));
        arguments.addAll(more);
        keytool(arguments);
    }

    private void keytool(List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-J-Xshare:auto",
                                "-J-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        command.addAll(
                List.of(
                        "-keystore",
                        store().toString(),
                        "-storepass:env", // not in the list of processes
                        PASSWORD_VARIABLE));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD_VARIABLE, password);
        Process process = builder.start();
        try {
            // Its few lines fit into the pipe, so that it need not be read before the end.
            if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("keytool has not ended in %d s".formatted(KEYTOOL_SECONDS));
            }
            if (process.exitValue() != 0) {
                byte[] output = process.getInputStream().readAllBytes();
                throw new IOException(
                        "keytool failed: " + new String(output, StandardCharsets.UTF_8).strip());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while keytool runs");
        } finally {
            process.destroyForcibly();
        }
    }

    private Certificate certificate(String alias) throws IOException {
        try {
            Certificate found = keys().getCertificate(alias);
            if (found == null) {
                throw new IOException("no certificate of " + alias);
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate of " + alias, e);
        }
    }

    private byte[] privateKey(String alias) throws IOException {
        try {
            return keys().getKey(alias, password.toCharArray()).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException("no key of " + alias, e);
        }
    }

    private KeyStore keys() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store().toFile(), password.toCharArray());
    }

    private static void writePem(Path file, Certificate certificate) throws IOException {
        try {
            writePem(file, "CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("a certificate that cannot be encoded", e);
        }
    }

    private static void writePem(Path file, String label, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
    }
}
