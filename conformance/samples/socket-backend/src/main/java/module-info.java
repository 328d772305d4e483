/**
 * The backend {@code socket}: messages between workers over plain TCP sockets. Nothing is exported:
 * Gradwire finds it as a service and uses it when {@code gradwire.backend=socket}.
 */
module com.example.socket {
    requires org.gradwire.spi;

    provides org.gradwire.spi.BackendProvider with
            com.example.socket.SocketProvider;
}
