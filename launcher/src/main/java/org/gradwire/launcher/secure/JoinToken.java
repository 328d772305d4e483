package org.gradwire.launcher.secure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;

/**
 * The permission of one launcher to get certificates for its workers: a secret that is valid once,
 * and the hash of the authority's certificate, by which the launcher recognizes the join service.
 */
final class JoinToken {
    static final int SECRET_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MAX_FILE_BYTES = 1024;
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private final byte[] secret;
    private final byte[] authority;

    private JoinToken(byte[] secret, byte[] authority) {
        this.secret = secret;
        this.authority = authority;
    }

    /** {@return a new token} */
    static JoinToken random(X509Certificate authority) {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new JoinToken(secret, hash(authority));
    }

    /**
     * Read a token from a file.
     *
     * @throws IOException if the file cannot be read, does not hold a token, or others may read it
     */
    static JoinToken read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    "%s %s: copy the join token of the first launcher to it, with scp -p"
                            .formatted(
                                    file, Files.exists(file) ? "is not a file" : "does not exist"));
        }
        var readable = EnumSet.copyOf(OF_OTHERS);
        readable.retainAll(Files.getPosixFilePermissions(file));
        if (!readable.isEmpty()) {
            throw new IOException(
                    "other users may read or write %s; run: chmod 600 %s".formatted(file, file));
        }
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + " is too large for a join token");
        }
        try {
            return parse(Files.readString(file).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    file + " is not the file that the first launcher wrote with --join-token-file",
                    e);
        }
    }

    /**
     * Read a token as {@link #text} has it.
     *
     * @throws IllegalArgumentException if the text is not a token
     */
    static JoinToken parse(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        if (bytes.length != SECRET_BYTES + HASH_BYTES) {
            throw new IllegalArgumentException("%d bytes".formatted(bytes.length));
        }
        return new JoinToken(
                Arrays.copyOf(bytes, SECRET_BYTES),
                Arrays.copyOfRange(bytes, SECRET_BYTES, bytes.length));
    }

    /** {@return the token as one word} */
    String text() {
        byte[] bytes =
                ByteBuffer.allocate(SECRET_BYTES + HASH_BYTES).put(secret).put(authority).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Write the token to a file that only the user can read, in place of the last one. */
    void write(Path file) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(
                next,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    byte[] secret() {
        return secret.clone();
    }

    /** {@return whether a launcher sent the secret of this token, in constant time} */
    boolean hasSecret(byte[] sent) {
        return MessageDigest.isEqual(secret, sent);
    }

    /** {@return whether a certificate is that of the authority} */
    boolean isOf(X509Certificate certificate) {
        return MessageDigest.isEqual(authority, hash(certificate));
    }

    private static byte[] hash(X509Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("the JDK has SHA-256 and has encoded it before", e);
        }
    }

    @Override
    public String toString() {
        return "JoinToken[***]";
    }
}
