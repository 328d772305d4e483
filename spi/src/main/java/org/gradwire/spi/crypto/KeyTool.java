package org.gradwire.spi.crypto;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The JDK's {@code keytool} with a separate key store, whose random password only this object
 * knows. Thread-safe, as far as the store is: one command at a time may change it.
 *
 * @param store file of the key store, in a directory that only the user can enter
 */
record KeyTool(Path store, String password) {
    private static final String PASSWORD_VARIABLE = "GRADWIRE_KEYTOOL_PASSWORD";
    private static final int PASSWORD_BYTES = 32;
    private static final long SECONDS = 60;

    /**
     * More iterations protect passwords that can be guessed, and took up to a third of the time.
     */
    private static final List<String> ONE_ITERATION =
            Stream.of("macIterationCount", "certPbeIterationCount", "keyPbeIterationCount")
                    .map(count -> "-J-Dkeystore.pkcs12." + count + "=1")
                    .toList();

    /** Create it for a new key store. */
    static KeyTool forNewStore(Path store) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return new KeyTool(store, HexFormat.of().formatHex(random));
    }

    /** Generate a key pair with a certificate. */
    void generate(String alias, List<String> more) throws IOException {
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
        run(arguments);
    }

    /**
     * Run a command.
     *
     * @throws IOException if it fails, or takes longer than a minute
     */
    void run(List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-J-Xshare:auto",
                                "-J-XX:TieredStopAtLevel=1",
                                "-J-XX:+UseSerialGC"));
        command.addAll(ONE_ITERATION);
        command.addAll(arguments);
        command.addAll(
                List.of(
                        "-keystore",
                        store.toString(),
                        "-storepass:env", // not in the list of processes
                        PASSWORD_VARIABLE));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD_VARIABLE, password);
        Process process = builder.start();
        try {
            // Its few lines fit into the pipe, so that it need not be read before the end.
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("keytool has not ended in %d s".formatted(SECONDS));
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

    Certificate certificate(String alias) throws IOException {
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

    byte[] privateKey(String alias) throws IOException {
        try {
            return keys().getKey(alias, password.toCharArray()).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException("no key of " + alias, e);
        }
    }

    KeyStore keys() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store.toFile(), password.toCharArray());
    }

    static void writePem(Path file, Certificate certificate) throws IOException {
        try {
            writePem(file, "CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("a certificate that cannot be encoded", e);
        }
    }

    static void writePem(Path file, String label, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        write(file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
    }

    /** Write a new file that only the user can read. */
    static void write(Path file, String text) throws IOException {
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }

    @Override
    public String toString() {
        return "KeyTool[" + store + "]";
    }
}
