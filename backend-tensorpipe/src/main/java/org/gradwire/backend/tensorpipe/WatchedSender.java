package org.gradwire.backend.tensorpipe;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;

/**
 * The driver's socket for what a worker sends to another one. What comes back on it, such as how
 * much more may be sent, ends the driver's sleep.
 *
 * <p>Aeron hands it frames for many datagrams at once, where the channel says how long these are.
 */
final class WatchedSender extends SendChannelEndpoint {
    /** The parameter of a channel with the bytes of a datagram. */
    static final String DATAGRAM = "gradwire-datagram";

    private final DriverSockets sockets;
    private @Nullable DatagramWriter writer;

    WatchedSender(
            UdpChannel channel,
            AtomicCounter status,
            MediaDriver.Context context,
            DriverSockets sockets) {
        super(channel, status, context);
        this.sockets = sockets;
    }

    @Override
    public void openChannel() {
        super.openChannel();
        sockets.add(receiveDatagramChannel);
        String datagram = udpChannel().channelUri().get(DATAGRAM);
        if (datagram != null) {
            var socket = sendDatagramChannel;
            writer =
                    new DatagramWriter(
                            socket,
                            bytes -> SocketOptions.cutAt(socket, bytes),
                            Integer.parseInt(datagram));
        }
    }

    @Override
    public int send(ByteBuffer frames) {
        if (writer == null) {
            return super.send(frames);
        }
        try {
            return sendDatagramChannel.isConnected() ? writer.write(frames) : 0;
        } catch (PortUnreachableException _) {
            return 0; // nobody is there yet, or any more
        } catch (IOException e) {
            onSendError(e, connectAddress, errorHandler);
            return 0;
        }
    }

    @Override
    public void close() {
        super.close();
        sockets.release();
    }
}
