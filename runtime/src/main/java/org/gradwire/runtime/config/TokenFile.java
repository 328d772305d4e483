package org.gradwire.runtime.config;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.gradwire.spi.process.ProcessUser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads the authentication token from a file that no other user can read or replace: a regular file
 * of this user or of root, without permissions for group and others. Symbolic links are followed,
 * which secrets in containers need.
 *
 * <p>A file in systemd's {@code $CREDENTIALS_DIRECTORY} may be readable for its group: systemd
 * grants access by an access control list, whose mask replaces these bits.
 */
final class TokenFile {
    private static final int MAX_BYTES = 4096;
    private static final int FILE_TYPE = 0170000;
    private static final int REGULAR_FILE = 0100000;
    private static final int GROUP_AND_OTHERS = 077;
    private static final int GROUP_READ = 040;
    private static final int ROOT = 0;

    private final String name;
    private final String origin;
    private final String credentials;

    /**
     * Create a reader of a file.
     *
     * @param origin the source of the setting, for error messages
     * @param credentials the value of {@code CREDENTIALS_DIRECTORY}; empty if it is not set
     */
    TokenFile(String name, String origin, String credentials) {
        this.name = name;
        this.origin = origin;
        this.credentials = credentials;
    }

    /**
     * {@return the token: the file's text without one line end}
     *
     * @throws RpcConfigurationException when the file is not trusted, or holds no token
     */
    String read() {
        try {
            Path file = Path.of(name).toRealPath();
            requirePrivate(file);
            return token(content(file));
        } catch (NoSuchFileException _) {
            throw refused("does not exist", "make it: " + RuntimeSettings.TOKEN_RECIPE);
        } catch (InvalidPathException | IOException e) {
            throw refused("cannot be read: " + e, "name a file that this process may read");
        }
    }

    private void requirePrivate(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            throw refused(
                    "is on a file system without POSIX permissions, so its readers cannot be checked",
                    "set %s instead".formatted(Settings.AUTHENTICATION_TOKEN));
        }
        int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if ((mode & FILE_TYPE) != REGULAR_FILE) {
            throw refused("is not a regular file", "name a file that holds the token");
        }
        int user = ProcessUser.id();
        if (owner != user && owner != ROOT) {
            throw refused(
                    "belongs to the user with id %d, who can change it; it must belong to this user, %d, or to root"
                            .formatted(owner, user),
                    "run: chown %d %s".formatted(user, file));
        }
        if ((mode & GROUP_AND_OTHERS & ~permittedBits(file)) != 0) {
            throw refused(
                    "has mode %04o, which gives others access".formatted(mode & 07777),
                    "run: chmod 600 %s, and make a new token if others may have read this one"
                            .formatted(file));
        }
    }

    private int permittedBits(Path file) throws IOException {
        boolean isCredential =
                !credentials.isEmpty()
                        && Path.of(credentials).toRealPath().equals(file.getParent());
        return isCredential ? GROUP_READ : 0;
    }

    private byte[] content(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw refused(
                        "has more than %d bytes".formatted(MAX_BYTES),
                        "name a file that contains only the token");
            }
            return content;
        }
    }

    private String token(byte[] content) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            String token = text.replaceFirst("\r?\n\\z", "");
            if (token.isBlank()) {
                throw refused("holds no token", "make one: " + RuntimeSettings.TOKEN_RECIPE);
            }
            return token;
        } catch (CharacterCodingException _) {
            throw refused("is not UTF-8 text", "make it: " + RuntimeSettings.TOKEN_RECIPE);
        }
    }

    private RpcConfigurationException refused(String problem, String remedy) {
        return new RpcConfigurationException(
                "%s=%s (from %s) %s; %s"
                        .formatted(
                                RuntimeSettings.AUTHENTICATION_TOKEN_FILE,
                                name,
                                origin,
                                problem,
                                remedy));
    }
}
