package org.gradwire.backend.tensorpipe.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An attacker between a writer and a reader of a log: sees each datagram, and sends others. */
final class DatagramRelay implements AutoCloseable {

    /** Decides what is sent in place of a datagram. */
    interface Attack {
        List<byte[]> instead(boolean isFromWriter, byte[] datagram);
    }

    private final DatagramChannel toWriter;
    private final DatagramChannel toReader;
    private volatile Attack attack = (_, datagram) -> List.of(datagram);
    private volatile InetSocketAddress writer = new InetSocketAddress(0);
    final List<byte[]> fromWriter = new CopyOnWriteArrayList<>();
    final List<byte[]> fromReader = new CopyOnWriteArrayList<>();

    DatagramRelay(InetSocketAddress reader) throws IOException {
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        toWriter = DatagramChannel.open().bind(any);
        toReader = DatagramChannel.open().bind(any).connect(reader);
        Thread.ofPlatform().daemon().start(() -> relay(true));
        Thread.ofPlatform().daemon().start(() -> relay(false));
    }

    int port() {
        return toWriter.socket().getLocalPort();
    }

    void attack(Attack next) {
        attack = next;
    }

    /** Send a datagram to the reader as if it came from the writer. */
    void sendToReader(byte[] datagram) throws IOException {
        toReader.write(ByteBuffer.wrap(datagram));
    }

    /** Send a datagram to the writer as if it came from the reader. */
    void sendToWriter(byte[] datagram) throws IOException {
        toWriter.send(ByteBuffer.wrap(datagram), writer);
    }

    private void relay(boolean isFromWriter) {
        ByteBuffer buffer = ByteBuffer.allocate(65_536);
        while (toWriter.isOpen() && toReader.isOpen()) {
            try {
                buffer.clear();
                if (isFromWriter) {
                    writer = (InetSocketAddress) toWriter.receive(buffer);
                } else if (toReader.read(buffer) < 0) {
                    return;
                }
                byte[] datagram = new byte[buffer.flip().remaining()];
                buffer.get(datagram);
                (isFromWriter ? fromWriter : fromReader).add(datagram);
                for (byte[] each : attack.instead(isFromWriter, datagram)) {
                    if (isFromWriter) {
                        sendToReader(each);
                    } else {
                        sendToWriter(each);
                    }
                }
            } catch (java.net.PortUnreachableException _) {
                // the reader has closed
            } catch (java.nio.channels.ClosedChannelException _) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        toWriter.close();
        toReader.close();
    }
}
