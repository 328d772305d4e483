package org.gradwire.conformance.network;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * A Linux packet socket: reads and writes all Ethernet frames of one interface.
 *
 * <p>Each frame has a virtio header, which says which checksums are still to be computed and
 * whether the frame exceeds the MTU, since the kernel skips both between virtual interfaces.
 * Writing a frame with the same header preserves it. Confined to one thread; open until the process
 * ends.
 */
@SuppressWarnings("restricted") // makes native calls
final class PacketSocket {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final short ALL_PROTOCOLS = 0x0300; // ETH_P_ALL in network byte order
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_VNET_HDR = 15;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int ADDRESS_BYTES = 20; // struct sockaddr_ll
    private static final int POLL_BYTES = 8; // struct pollfd
    private static final short POLLIN = 1;
    private static final int EAGAIN = 11;
    private static final int EINTR = 4;
    private static final int RECEIVE_BUFFER = 8 << 20;
    private static final int MAX_FRAME = 128 << 10;

    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final MethodHandle SOCKET = function("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = function("bind", INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle SET_OPTION =
            function("setsockopt", INT, INT, INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle INDEX = function("if_nametoindex", INT, ValueLayout.ADDRESS);
    private static final MethodHandle RECEIVE =
            function("recv", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle SEND =
            function("send", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle POLL = function("poll", INT, ValueLayout.ADDRESS, LONG, INT);

    private static final Arena ARENA = Arena.global();

    private final MemorySegment error = ARENA.allocate(CAPTURED);
    private final MemorySegment buffer = ARENA.allocate(MAX_FRAME);
    private final int descriptor;

    private PacketSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Open a socket for an interface. */
    static PacketSocket open(String name) throws IOException {
        MemorySegment error = ARENA.allocate(CAPTURED);
        int index = call(error, "if_nametoindex " + name, INDEX, ARENA.allocateFrom(name));
        int descriptor = call(error, "socket", SOCKET, AF_PACKET, SOCK_RAW, (int) ALL_PROTOCOLS);
        set(error, descriptor, SOL_PACKET, PACKET_VNET_HDR, 1);
        set(error, descriptor, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
        set(error, descriptor, SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER);
        MemorySegment address = ARENA.allocate(ADDRESS_BYTES, Integer.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_PACKET);
        address.set(ValueLayout.JAVA_SHORT, 2, ALL_PROTOCOLS);
        address.set(INT, 4, index);
        call(error, "bind to " + name, BIND, descriptor, address, ADDRESS_BYTES);
        return new PacketSocket(descriptor);
    }

    private static void set(MemorySegment error, int descriptor, int level, int name, int value)
            throws IOException {
        MemorySegment option = ARENA.allocateFrom(INT, value);
        String what = "setsockopt %d %d".formatted(level, name);
        call(error, what, SET_OPTION, descriptor, level, name, option, Integer.BYTES);
    }

    /** Wait until one of the sockets has a frame, or a number of milliseconds has passed. */
    static void await(List<PacketSocket> sockets, int millis) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wanted = arena.allocate((long) POLL_BYTES * sockets.size(), POLL_BYTES);
            for (int i = 0; i < sockets.size(); i++) {
                wanted.set(INT, (long) POLL_BYTES * i, sockets.get(i).descriptor);
                wanted.set(ValueLayout.JAVA_SHORT, (long) POLL_BYTES * i + 4, POLLIN);
            }
            MemorySegment error = arena.allocate(CAPTURED);
            int _ = call(error, "poll", POLL, wanted, (long) sockets.size(), millis);
        }
    }

    /** {@return the next frame with its header; empty if there is none} */
    byte[] read() throws IOException {
        int length =
                call(error, "recv", RECEIVE, descriptor, buffer, (long) MAX_FRAME, MSG_DONTWAIT);
        return buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Write a frame with its header. The frame is lost if there is no room, as on a wire. */
    void write(byte[] frame) throws IOException {
        MemorySegment.copy(frame, 0, buffer, ValueLayout.JAVA_BYTE, 0, frame.length);
        int _ = call(error, "send", SEND, descriptor, buffer, (long) frame.length, MSG_DONTWAIT);
    }

    /** Call a native function; {@return its result, or 0 if it would block} */
    private static int call(
            MemorySegment error, String what, MethodHandle function, Object... arguments)
            throws IOException {
        Object[] all = new Object[arguments.length + 1];
        all[0] = error;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        long result;
        try {
            result = ((Number) function.invokeWithArguments(all)).longValue();
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native call failed: " + impossible, impossible);
        }
        int number = (int) ERRNO.get(error, 0L);
        if (result < 0 && number != EAGAIN && number != EINTR) {
            throw new IOException(what + ": error " + number);
        }
        return (int) Math.max(0, result);
    }

    private static MethodHandle function(
            String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address =
                linker.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new IllegalStateException("no function " + name));
        return linker.downcallHandle(
                address,
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }
}
