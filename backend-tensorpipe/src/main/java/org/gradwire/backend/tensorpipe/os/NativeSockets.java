package org.gradwire.backend.tensorpipe.os;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Socket options and credentials that Java does not offer. Needs {@link LibC}. */
public final class NativeSockets {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int UCRED_BYTES = 12; // pid, uid, gid
    private static final int UNIX_PATH_OFFSET = 2;
    private static final int UNIX_ADDRESS_BYTES = 110;

    private NativeSockets() {}

    /**
     * Set a numeric option of a socket.
     *
     * @return whether the system accepted it
     */
    public static boolean setOption(int socket, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            return (int)
                            NativeFunctions.linked()
                                    .setSocketOption()
                                    .invokeExact(socket, level, option, place, Integer.BYTES)
                    == 0;
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /**
     * Return the credentials of the process that listens at a Unix socket, from the kernel. Does
     * not block.
     *
     * @return null if the connection fails, or the path is too long for a socket
     */
    static @Nullable PeerCredentials peerCredentials(Path path) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (UNIX_PATH_OFFSET + name.length >= UNIX_ADDRESS_BYTES) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(UNIX_ADDRESS_BYTES, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(
                    name, 0, address, ValueLayout.JAVA_BYTE, UNIX_PATH_OFFSET, name.length);
            int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
            int socket = (int) NativeFunctions.linked().socket().invokeExact(AF_UNIX, type, 0);
            if (socket < 0) {
                return null;
            }
            try {
                int failure =
                        (int)
                                NativeFunctions.linked()
                                        .connect()
                                        .invokeExact(socket, address, UNIX_ADDRESS_BYTES);
                return failure == 0 ? peerCredentials(socket, arena) : null;
            } finally {
                Pidfd.close(socket);
            }
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    private static @Nullable PeerCredentials peerCredentials(int socket, Arena arena)
            throws Throwable {
        MemorySegment value = arena.allocate(UCRED_BYTES, Integer.BYTES);
        MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, UCRED_BYTES);
        int failure =
                (int)
                        NativeFunctions.linked()
                                .getSocketOption()
                                .invokeExact(socket, SOL_SOCKET, SO_PEERCRED, value, length);
        return failure == 0
                ? new PeerCredentials(
                        value.getAtIndex(ValueLayout.JAVA_INT, 0),
                        value.getAtIndex(ValueLayout.JAVA_INT, 1))
                : null;
    }
}
