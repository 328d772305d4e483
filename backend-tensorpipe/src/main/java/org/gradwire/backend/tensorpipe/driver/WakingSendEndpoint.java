package org.gradwire.backend.tensorpipe.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.HeaderFlyweight;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;

/**
 * The driver's sending socket of one worker and peer. Arrivals on it, such as status messages, wake
 * the driver.
 *
 * <p>Where the channel gives the length of datagrams, Aeron passes it frames for many of them at
 * once. Frames for a stream that accepts only sealed datagrams are sealed, or not sent.
 */
public final class WakingSendEndpoint extends SendChannelEndpoint {
    /** Channel parameter: the length of a datagram in bytes. */
    public static final String DATAGRAM = "gradwire-datagram";

    private final @Nullable DriverSockets sockets;
    private final SealedPairs pairs;
    private final DatagramSealing sealing;
    private final DatagramOpening opening;
    private final AtomicCounter refused;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private @Nullable DatagramWriter writer;

    WakingSendEndpoint(
            UdpChannel channel,
            AtomicCounter status,
            MediaDriver.Context context,
            DriverNetwork network) {
        super(channel, status, context);
        sockets = network.sockets();
        pairs = network.pairs();
        sealing = network.sealing();
        refused = network.dropped().datagrams(context);
        opening = new DatagramOpening(network, Lane.STATUS, refused);
    }

    @Override
    public void openChannel() {
        super.openChannel();
        if (sockets != null) {
            sockets.add(receiveDatagramChannel);
        }
        String datagram = udpChannel().channelUri().get(DATAGRAM);
        if (datagram != null) {
            var socket = sendDatagramChannel;
            writer =
                    new DatagramWriter(
                            socket,
                            bytes -> SocketOptions.segmentAt(socket, bytes),
                            sealing,
                            Integer.parseInt(datagram));
        }
    }

    @Override
    public int send(ByteBuffer frames) {
        int length = frames.remaining();
        frame.wrap(frames, frames.position(), length);
        boolean isSealed = FrameFields.isSealed(FrameFields.stream(frame, 0));
        SealedPair pair = isSealed ? pairs.writing(FrameFields.session(frame, 0)) : null;
        if (writer == null || (isSealed && pair == null)) {
            return isSealed ? length : super.send(frames); // as if it were lost in transit
        }
        try {
            return sendDatagramChannel.isConnected()
                    ? writer.write(frames, pair == null ? null : pair.sealer(Lane.DATA))
                    : 0;
        } catch (PortUnreachableException _) {
            return 0; // no receiver yet, or no longer
        } catch (IOException e) {
            onSendError(e, connectAddress, errorHandler);
            return 0;
        }
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        InetSocketAddress source = super.receive(buffer);
        return source != null && hasFrame(buffer) ? source : null;
    }

    /** Open a sealed datagram. A frame of a log that is sealed must have been in one. */
    private boolean hasFrame(ByteBuffer buffer) {
        int bytes = buffer.position();
        frame.wrap(buffer, 0, bytes);
        if (bytes < FrameFields.BYTES
                || FrameDescriptor.frameVersion(frame, 0) != HeaderFlyweight.CURRENT_VERSION) {
            return opening.open(buffer, null);
        }
        boolean isPlain = !FrameFields.isSealed(FrameFields.stream(frame, 0));
        if (!isPlain) {
            refused.incrementRelease();
        }
        return isPlain;
    }

    @Override
    public void close() {
        super.close();
        if (sockets != null) {
            sockets.release();
        }
    }
}
