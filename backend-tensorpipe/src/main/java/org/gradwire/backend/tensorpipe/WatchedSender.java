package org.gradwire.backend.tensorpipe;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * The driver's socket for what a worker sends to another one. What comes back on it, such as how
 * much more may be sent, ends the driver's sleep.
 */
final class WatchedSender extends SendChannelEndpoint {
    private final DriverSockets sockets;

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
    }

    @Override
    public void close() {
        super.close();
        sockets.release();
    }
}
