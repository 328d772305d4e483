package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.NativeSockets;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.DatagramChannel;

/**
 * UDP socket options that Java does not offer: segmentation (GSO) and coalescing (GRO), with which
 * Linux sends and receives many datagrams per call.
 *
 * <p>The methods return false without access to the socket's descriptor (a JVM without the flag of
 * {@code jvm.args} for {@code sun.nio.ch}) and on systems without these options.
 */
final class SocketOptions {
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final @Nullable MethodHandle DESCRIPTOR = findDescriptor();

    private SocketOptions() {}

    /**
     * Enable segmentation of each send into datagrams.
     *
     * @param bytes of each datagram except the last; 0 for no segmentation
     * @return whether it is supported
     */
    static boolean segmentAt(DatagramChannel socket, int bytes) {
        return set(socket, UDP_SEGMENT, bytes);
    }

    /**
     * Enable coalescing of waiting datagrams of one sender, without a mark between them.
     *
     * @return whether it is supported
     */
    static boolean coalesce(DatagramChannel socket) {
        return set(socket, UDP_GRO, 1);
    }

    private static boolean set(DatagramChannel socket, int option, int value) {
        if (DESCRIPTOR == null || !LibC.isAvailable()) {
            return false;
        }
        try {
            int descriptor = (int) DESCRIPTOR.invoke(socket);
            return NativeSockets.setOption(descriptor, SOL_UDP, option, value);
        } catch (Throwable impossible) {
            throw new IllegalStateException("no descriptor of " + socket, impossible);
        }
    }

    private static @Nullable MethodHandle findDescriptor() {
        try {
            return MethodHandles.lookup()
                    .findVirtual(
                            Class.forName("sun.nio.ch.SelChImpl"),
                            "getFDVal",
                            MethodType.methodType(int.class));
        } catch (ReflectiveOperationException e) {
            System.getLogger(SocketOptions.class.getPackageName())
                    .log(System.Logger.Level.INFO, "one datagram per call: {0}", e.getMessage());
            return null;
        }
    }
}
