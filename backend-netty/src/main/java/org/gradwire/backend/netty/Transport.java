package org.gradwire.backend.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.kqueue.KQueue;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.kqueue.KQueueSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * An implementation of sockets in Netty.
 *
 * <p>Classes of a native one may be missing: its methods are called only after {@link #obstacle}
 * has returned null.
 */
enum Transport {
    /** The JDK's selectors. */
    NIO,
    /** Netty's native library for Linux. */
    EPOLL,
    /** Netty's native library for macOS. */
    KQUEUE;

    /** {@return the native transport of an operating system, or NIO where there is none} */
    static Transport nativeOf(String osName) {
        if (osName.equals("Linux")) {
            return EPOLL;
        }
        return osName.startsWith("Mac") ? KQUEUE : NIO;
    }

    /** {@return the artifact with the native library; of {@link #NIO}, none exists} */
    String nativeArtifact() {
        return "netty-transport-native-" + name().toLowerCase(Locale.ROOT);
    }

    /** {@return the artifacts that must have one version, since they call each other by JNI} */
    List<String> artifacts() {
        return List.of(
                "netty-transport",
                "netty-transport-native-unix-common",
                "netty-transport-classes-" + name().toLowerCase(Locale.ROOT),
                nativeArtifact());
    }

    /** {@return the reason why this JVM cannot use it, or null; loads the native library} */
    @Nullable String obstacle() {
        try {
            Throwable cause =
                    switch (this) {
                        case NIO -> null;
                        case EPOLL -> Epoll.unavailabilityCause();
                        case KQUEUE -> KQueue.unavailabilityCause();
                    };
            return cause == null ? null : Tls.reason(cause);
        } catch (LinkageError e) { // the classes are missing, or in a module that is not read
            return e.toString();
        }
    }

    IoHandlerFactory handlers() {
        return switch (this) {
            case NIO -> NioIoHandler.newFactory();
            case EPOLL -> EpollIoHandler.newFactory();
            case KQUEUE -> KQueueIoHandler.newFactory();
        };
    }

    Class<? extends SocketChannel> socket() {
        return switch (this) {
            case NIO -> NioSocketChannel.class;
            case EPOLL -> EpollSocketChannel.class;
            case KQUEUE -> KQueueSocketChannel.class;
        };
    }

    Class<? extends ServerSocketChannel> serverSocket() {
        return switch (this) {
            case NIO -> NioServerSocketChannel.class;
            case EPOLL -> EpollServerSocketChannel.class;
            case KQUEUE -> KQueueServerSocketChannel.class;
        };
    }
}
