package org.gradwire.tools.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A kind of file next to a published one that holds its digest in hexadecimal digits.
 *
 * @param extension the end of its name, with the dot
 * @param algorithm the digest's name in Java
 */
record Checksum(String extension, String algorithm) {
    /** Maven Central demands the first two and takes the others. */
    static final List<Checksum> ALL =
            List.of(
                    new Checksum(".md5", "MD5"),
                    new Checksum(".sha1", "SHA-1"),
                    new Checksum(".sha256", "SHA-256"),
                    new Checksum(".sha512", "SHA-512"));

    static boolean isOne(Path file) {
        return ALL.stream().anyMatch(kind -> file.toString().endsWith(kind.extension));
    }

    Path fileOf(Path file) {
        return file.resolveSibling(file.getFileName() + extension);
    }

    String of(Path file) throws IOException {
        try (InputStream bytes =
                new DigestInputStream(
                        Files.newInputStream(file), MessageDigest.getInstance(algorithm))) {
            bytes.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of()
                    .formatHex(((DigestInputStream) bytes).getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
