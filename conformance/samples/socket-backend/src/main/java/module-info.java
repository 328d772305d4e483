/**
 * Backend {@code socket}: sends messages between workers over plain TCP sockets. It exports
 * nothing: Gradwire finds it as a service and uses it if {@code gradwire.backend=socket}.
 */
module com.example.socket {
    requires org.gradwire.spi;

    provides org.gradwire.spi.BackendProvider with
            com.example.socket.SocketProvider;
}
