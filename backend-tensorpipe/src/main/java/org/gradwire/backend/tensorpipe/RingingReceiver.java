package org.gradwire.backend.tensorpipe;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * The driver's socket for what arrives at one worker, whose bell it rings when there is something
 * to read. Datagrams that the system has joined are handed to Aeron as if they had come one by one;
 * frames that a {@link SourceFilter} refuses are counted and dropped.
 */
final class RingingReceiver extends ReceiveChannelEndpoint {
    private final DriverDirectory directory;
    private final @Nullable DriverSockets sockets;
    private final SourceFilter filter;
    private final AtomicCounter dropped;
    private final NanoClock clock;
    private final JoinedFrames joined = new JoinedFrames();
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final DataHeaderFlyweight data = new DataHeaderFlyweight();
    private final SetupFlyweight setup = new SetupFlyweight();
    private final RttMeasurementFlyweight measurement = new RttMeasurementFlyweight();
    private @Nullable Doorbell bell;
    private boolean hasLooked;

    RingingReceiver(
            UdpChannel channel,
            DataPacketDispatcher dispatcher,
            AtomicCounter status,
            MediaDriver.Context context,
            DriverDirectory directory,
            @Nullable DriverSockets sockets,
            AtomicCounter dropped) {
        super(channel, dispatcher, status, context);
        this.directory = directory;
        this.sockets = sockets;
        this.dropped = dropped;
        clock = context.receiverCachedNanoClock();
        filter = new SourceFilter(this::readSources, context.imageLivenessTimeoutNs());
    }

    private @Nullable ExpectedSources readSources() {
        var socket = receiveDatagramChannel.socket();
        var own = new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
        return ExpectedSources.read(directory.expectedSources(own));
    }

    @Override
    public void openChannel() {
        super.openChannel();
        if (sockets != null) {
            sockets.add(receiveDatagramChannel);
            SocketOptions.join(receiveDatagramChannel); // without, it is one datagram a call
        }
    }

    @Override
    public void close() {
        super.close();
        if (sockets != null) {
            sockets.release();
        }
    }

    @Override
    public int onDataPacket(
            DataHeaderFlyweight header,
            UnsafeBuffer received,
            int length,
            InetSocketAddress source,
            int transport) {
        return takeApart(received, length, source, transport);
    }

    @Override
    public void onSetupMessage(
            SetupFlyweight header,
            UnsafeBuffer received,
            int length,
            InetSocketAddress source,
            int transport) {
        takeApart(received, length, source, transport);
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight header,
            UnsafeBuffer received,
            int length,
            InetSocketAddress source,
            int transport) {
        takeApart(received, length, source, transport);
    }

    private int takeApart(
            UnsafeBuffer received, int length, InetSocketAddress source, int transport) {
        int taken = 0;
        joined.begin(received, length);
        while (joined.next()) {
            taken += take(received, source, transport);
        }
        return taken;
    }

    private int take(UnsafeBuffer received, InetSocketAddress source, int transport) {
        int offset = joined.offset();
        int length = joined.length();
        frame.wrap(received, offset, length);
        switch (joined.type()) {
            case HeaderFlyweight.HDR_TYPE_SETUP -> {
                setup.wrap(frame);
                if (filter.acceptsSetup(setup, source, clock.nanoTime())) {
                    super.onSetupMessage(setup, frame, length, source, transport);
                } else {
                    dropped.incrementRelease();
                }
            }
            case HeaderFlyweight.HDR_TYPE_RTTM -> {
                measurement.wrap(frame);
                if (accepts(measurement.streamId(), measurement.sessionId(), source)) {
                    super.onRttMeasurement(measurement, frame, length, source, transport);
                }
            }
            default -> {
                return takeData(length, source, transport);
            }
        }
        return 0;
    }

    private int takeData(int length, InetSocketAddress source, int transport) {
        data.wrap(frame);
        if (!accepts(data.streamId(), data.sessionId(), source)) {
            return 0;
        }
        int taken = super.onDataPacket(data, frame, length, source, transport);
        if (taken > 0 && length > DataHeaderFlyweight.HEADER_LENGTH) { // not Aeron's heartbeat
            ring(data.streamId());
        }
        return taken;
    }

    private boolean accepts(int stream, int session, InetSocketAddress source) {
        boolean isAccepted = filter.accepts(stream, session, source, clock.nanoTime());
        if (!isAccepted) {
            dropped.incrementRelease();
        }
        return isAccepted;
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
