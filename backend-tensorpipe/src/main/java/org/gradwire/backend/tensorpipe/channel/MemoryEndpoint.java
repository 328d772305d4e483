package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.os.PeerCredentials;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Unix socket in the driver's directory, from which readers of this worker's memory get its
 * process id from the kernel ({@link PeerCredentials}).
 *
 * <p>Nothing is sent over its connections: the kernel records the credentials of a process when it
 * begins to listen. For one thread, except for {@link #open}.
 */
public final class MemoryEndpoint implements AutoCloseable {
    private static final Logger LOG = System.getLogger(MemoryEndpoint.class.getPackageName());
    private static final int BACKLOG = 4096; // cut by the system's limit

    private final ServerSocketChannel socket;
    private final Path path;

    private MemoryEndpoint(ServerSocketChannel socket, Path path) {
        this.socket = socket;
        this.path = path;
    }

    /** {@return an endpoint; null if it cannot be opened: large buffers are sent in chunks then} */
    public static @Nullable MemoryEndpoint open(Path path) {
        try {
            var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                socket.configureBlocking(false);
                socket.bind(UnixDomainSocketAddress.of(path), BACKLOG);
                return new MemoryEndpoint(socket, path);
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.DEBUG, "no socket can be opened at {0}: {1}", path, e.toString());
            return null;
        }
    }

    /** Close the accepted connections, to make room for more. */
    public void closeConnections() {
        try {
            for (SocketChannel come; (come = socket.accept()) != null; ) {
                come.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no connection was accepted at {0}: {1}", path, e.toString());
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing", e);
        }
    }
}
