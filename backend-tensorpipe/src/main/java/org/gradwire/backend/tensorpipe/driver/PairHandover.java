package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.RekeyLimits;
import org.gradwire.spi.process.ProcessUser;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * The secret of a pair, as a worker hands it to its media driver: in a file of the driver's
 * directory, which only their user can enter, and which the driver deletes when it reads it.
 *
 * @param own address at which the worker listens
 * @param secret of the worker and a peer
 * @param limits of its keys
 */
public record PairHandover(InetSocketAddress own, PairSecret secret, RekeyLimits limits) {
    /** The beginning of the files' names. */
    static final String PREFIX = "pair-";

    private static final Logger LOG = System.getLogger(PairHandover.class.getPackageName());
    private static final String UNFINISHED = "new-";
    private static final String PERMISSIONS = "rw-------";
    private static final int FILE_TYPE_AND_PERMISSIONS = 0170777;
    private static final int PRIVATE_FILE = 0100600;
    private static final int MOST_ADDRESS_BYTES = 16;
    private static final int MOST_BYTES =
            PairSecret.ENCODED_BYTES + Long.BYTES + Short.BYTES + 1 + MOST_ADDRESS_BYTES;

    /**
     * Hand it over, once: a driver that got it twice would use numbers of datagrams again.
     *
     * @param directory of the driver
     * @throws IOException when no file can be written
     */
    public void give(Path directory) throws IOException {
        String name = PREFIX + HexFormat.of().toHexDigits(secret.session(true));
        Path unfinished = directory.resolve(UNFINISHED + name);
        ByteBuffer bytes = encode();
        try (var channel =
                Files.newByteChannel(
                        unfinished,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString(PERMISSIONS)))) {
            channel.write(bytes);
        }
        Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private ByteBuffer encode() {
        byte[] address = own.getAddress().getAddress();
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        secret.encode(bytes);
        bytes.putLong(limits.bytes()).putShort((short) own.getPort());
        return bytes.put((byte) address.length).put(address).flip();
    }

    /**
     * {@return the content of a file, which is deleted; null when it is not such a file of this
     * user}
     */
    static @Nullable PairHandover take(Path file) {
        try {
            boolean isOwn = isPrivate(file);
            byte[] bytes = isOwn ? Files.readAllBytes(file) : new byte[0];
            Files.delete(file);
            if (isOwn) {
                return decode(ByteBuffer.wrap(bytes));
            }
            LOG.log(Level.WARNING, "{0} is not a file that only this user may read", file);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "no keys can be read from {0}: {1}", file, e.toString());
        }
        return null;
    }

    private static boolean isPrivate(Path file) throws IOException {
        Map<String, Object> found =
                Files.readAttributes(file, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        return found.get("mode") instanceof Integer mode
                && (mode & FILE_TYPE_AND_PERMISSIONS) == PRIVATE_FILE
                && found.get("uid") instanceof Integer owner
                && owner == ProcessUser.id();
    }

    private static PairHandover decode(ByteBuffer bytes) throws IOException {
        PairSecret secret = PairSecret.decode(bytes);
        var limits = new RekeyLimits(bytes.getLong());
        int port = Short.toUnsignedInt(bytes.getShort());
        byte[] address = new byte[bytes.get()];
        bytes.get(address);
        return new PairHandover(
                new InetSocketAddress(InetAddress.getByAddress(address), port), secret, limits);
    }
}
