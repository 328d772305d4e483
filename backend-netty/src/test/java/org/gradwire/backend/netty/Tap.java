package org.gradwire.backend.netty;

import org.gradwire.spi.Store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Stands between a worker and those who connect to it, and keeps what they say. */
final class Tap implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    /** Take the place of a worker's address in the store. */
    Tap(Store store, int id) throws IOException {
        String key = "netty/" + id;
        Address address = Address.decode(store.get(key, Duration.ofSeconds(10)));
        target = address.socket();
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var own = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        store.set(key, new Address(address.incarnation(), own, address.isEncrypted()).encode());
        Thread.ofVirtual().start(this::accept);
    }

    /** {@return what has passed in both directions, a character for each byte} */
    String heard() {
        synchronized (heard) {
            return heard.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket from = server.accept();
                Socket to = new Socket(target.getAddress(), target.getPort());
                Thread.ofVirtual().start(() -> pass(from, to));
                Thread.ofVirtual().start(() -> pass(to, from));
            }
        } catch (IOException _) {
            // it is closed
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] part = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count; (count = in.read(part)) >= 0; ) {
                synchronized (heard) {
                    heard.write(part, 0, count);
                }
                out.write(part, 0, count);
            }
        } catch (IOException _) {
            // one of the two has closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
