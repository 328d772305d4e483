/**
 * The backend {@code netty}: moves messages between processes over TCP, encrypted by TLS between
 * hosts, on every platform that has a JDK.
 *
 * <p>Nothing is exported: the runtime finds it as a {@link org.gradwire.spi.BackendProvider}. It
 * needs no flag of the JVM. {@code docs/PROTOCOL.md} describes its frames.
 */
module org.gradwire.backend.netty {
    requires org.gradwire.spi;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static io.netty.transport.classes.epoll;
    requires static io.netty.transport.classes.kqueue;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.backend.netty.NettyProvider;
}
