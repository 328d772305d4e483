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

/** A proxy in front of a worker, which records the bytes in both directions. */
final class Tap implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    /** Replace the address of a worker in the store by that of the proxy. */
    Tap(Store store, int id) throws IOException {
        String key = "worker/worker" + id + "/netty/address";
        Address address = Address.decode(store.get(key, Duration.ofSeconds(10)));
        target = address.socket();
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var own = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        store.set(key, new Address(address.incarnation(), own, address.isEncrypted()).encode());
        Thread.ofVirtual().start(this::accept);
    }

    /** {@return the recorded bytes of both directions, a character for each} */
    String captured() {
        synchronized (captured) {
            return captured.toString(StandardCharsets.ISO_8859_1);
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
            // the proxy is closed
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] part = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count; (count = in.read(part)) >= 0; ) {
                synchronized (captured) {
                    captured.write(part, 0, count);
                }
                out.write(part, 0, count);
            }
        } catch (IOException _) {
            // one end has closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
