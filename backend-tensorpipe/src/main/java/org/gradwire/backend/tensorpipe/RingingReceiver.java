package org.gradwire.backend.tensorpipe;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * The driver's socket for what arrives at one worker, whose bell it rings when there is something
 * to read.
 */
final class RingingReceiver extends ReceiveChannelEndpoint {
    private final DriverDirectory directory;
    private final DriverSockets sockets;
    private @Nullable Doorbell bell;
    private boolean hasLooked;

    RingingReceiver(
            UdpChannel channel,
            DataPacketDispatcher dispatcher,
            AtomicCounter status,
            MediaDriver.Context context,
            DriverDirectory directory,
            DriverSockets sockets) {
        super(channel, dispatcher, status, context);
        this.directory = directory;
        this.sockets = sockets;
    }

    @Override
    public void openChannel() {
        super.openChannel();
        sockets.add(receiveDatagramChannel);
    }

    @Override
    public void close() {
        super.close();
        sockets.release();
    }

    @Override
    public int onDataPacket(
            DataHeaderFlyweight header,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress source,
            int transport) {
        int taken = super.onDataPacket(header, buffer, length, source, transport);
        if (taken > 0 && length > DataHeaderFlyweight.HEADER_LENGTH) { // not Aeron's heartbeat
            ring(header.streamId());
        }
        return taken;
    }

    private void ring(int stream) {
        if (!hasLooked) {
            hasLooked = true; // the worker hung it up before it told anyone its address
            bell = directory.bellOfStream(stream);
        }
        if (bell != null) {
            bell.ring();
        }
    }
}
