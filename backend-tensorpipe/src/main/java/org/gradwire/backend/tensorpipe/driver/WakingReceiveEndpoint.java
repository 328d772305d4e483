package org.gradwire.backend.tensorpipe.driver;

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
import org.gradwire.backend.tensorpipe.address.ExpectedSources;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The driver's socket for arrivals at one worker, whose doorbell it rings when there is something
 * to read. Coalesced datagrams are passed to Aeron one by one; frames that the {@link SourceFilter}
 * rejects are counted and dropped.
 *
 * <p>A worker that encrypts accepts only sealed datagrams of its pairs.
 */
public final class WakingReceiveEndpoint extends ReceiveChannelEndpoint {
    /** The channel parameter of a subscription that accepts only sealed datagrams. */
    public static final String SEALED = "gradwire-sealed";

    private final DriverDirectory directory;
    private final @Nullable DriverSockets sockets;
    private final SourceFilter filter;
    private final AtomicCounter dropped;
    private final SealedPairs pairs;
    private final @Nullable DatagramOpening opening;
    private final DatagramSealing sealing;
    private @Nullable InetSocketAddress own;
    private final NanoClock clock;
    private final GroFrames coalesced = new GroFrames();
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer outgoing = new UnsafeBuffer(0, 0);
    private final DataHeaderFlyweight data = new DataHeaderFlyweight();
    private final SetupFlyweight setup = new SetupFlyweight();
    private final RttMeasurementFlyweight measurement = new RttMeasurementFlyweight();
    private @Nullable Doorbell bell;
    private boolean hasLooked;

    WakingReceiveEndpoint(
            UdpChannel channel,
            DataPacketDispatcher dispatcher,
            AtomicCounter status,
            MediaDriver.Context context,
            DriverNetwork network) {
        super(channel, dispatcher, status, context);
        directory = network.directory();
        sockets = network.sockets();
        dropped = network.dropped().frames(context);
        pairs = network.pairs();
        sealing = network.sealing();
        boolean isSealed = Boolean.parseBoolean(channel.channelUri().get(SEALED));
        opening =
                isSealed
                        ? new DatagramOpening(
                                network, Lane.DATA, network.dropped().datagrams(context))
                        : null;
        clock = context.receiverCachedNanoClock();
        filter = new SourceFilter(this::readSources, context.imageLivenessTimeoutNs());
    }

    private @Nullable ExpectedSources readSources() {
        return ExpectedSources.read(directory.expectedSources(own()));
    }

    private InetSocketAddress own() {
        InetSocketAddress known = own;
        if (known == null) {
            var socket = receiveDatagramChannel.socket();
            known = new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
            own = known;
        }
        return known;
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        InetSocketAddress source = super.receive(buffer);
        return source == null || opening == null || opening.open(buffer, own()) ? source : null;
    }

    /** Send a status message or the like. One for a sealed stream is sealed, or not sent. */
    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress remoteAddress) {
        int length = buffer.remaining();
        outgoing.wrap(buffer, buffer.position(), length);
        if (!FrameFields.isSealed(FrameFields.stream(outgoing, 0))) {
            return super.sendTo(buffer, remoteAddress);
        }
        SealedPair pair = pairs.reading(FrameFields.session(outgoing, 0));
        if (pair == null) {
            return length; // as if it were lost in transit
        }
        ByteBuffer sealed = sealing.seal(pair.sealer(Lane.STATUS), buffer, length);
        return super.sendTo(sealed, remoteAddress) > 0 ? length : 0;
    }

    @Override
    public void openChannel() {
        super.openChannel();
        if (sockets != null) {
            sockets.add(receiveDatagramChannel);
            SocketOptions.coalesce(receiveDatagramChannel); // otherwise one datagram per call
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
        return split(received, length, source, transport);
    }

    @Override
    public void onSetupMessage(
            SetupFlyweight header,
            UnsafeBuffer received,
            int length,
            InetSocketAddress source,
            int transport) {
        split(received, length, source, transport);
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight header,
            UnsafeBuffer received,
            int length,
            InetSocketAddress source,
            int transport) {
        split(received, length, source, transport);
    }

    private int split(UnsafeBuffer received, int length, InetSocketAddress source, int transport) {
        int taken = 0;
        coalesced.begin(received, length);
        while (coalesced.next()) {
            taken += take(received, source, transport);
        }
        return taken;
    }

    private int take(UnsafeBuffer received, InetSocketAddress source, int transport) {
        int offset = coalesced.offset();
        int length = coalesced.length();
        frame.wrap(received, offset, length);
        switch (coalesced.type()) {
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
            hasLooked = true; // a worker creates it before it publishes its address
            bell = directory.bellOfStream(stream);
        }
        if (bell != null) {
            bell.ring();
        }
    }
}
