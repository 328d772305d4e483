package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.DatagramChannel;

/**
 * The options of a UDP socket that Java does not know: Linux takes and gives many datagrams in one
 * call.
 *
 * <p>Where the socket's descriptor cannot be had (a JVM without the flag of {@code jvm.args} for
 * {@code sun.nio.ch}) or the system does not know the options, setting them says false.
 */
final class SocketOptions {
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final @Nullable MethodHandle DESCRIPTOR = findDescriptor();

    private SocketOptions() {}

    /**
     * Let the system cut whatever is sent in one call into datagrams.
     *
     * @param bytes of each but the last; 0 for what is sent to be one datagram
     * @return whether it will
     */
    static boolean cutAt(DatagramChannel socket, int bytes) {
        return set(socket, UDP_SEGMENT, bytes);
    }

    /**
     * Let the system join datagrams of one sender that wait to be received, without a mark between
     * them.
     *
     * @return whether it will
     */
    static boolean join(DatagramChannel socket) {
        return set(socket, UDP_GRO, 1);
    }

    private static boolean set(DatagramChannel socket, int option, int value) {
        if (DESCRIPTOR == null || !LibC.isAvailable()) {
            return false;
        }
        try {
            int descriptor = (int) DESCRIPTOR.invoke(socket);
            return LibC.setSocketOption(descriptor, SOL_UDP, option, value);
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
                    .log(System.Logger.Level.INFO, "one datagram a call: {0}", e.getMessage());
            return null;
        }
    }
}
