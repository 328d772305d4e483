package org.gradwire.backend.tensorpipe.driver;

import org.agrona.concurrent.NanoClock;
import org.gradwire.backend.tensorpipe.seal.DatagramOpener;
import org.gradwire.backend.tensorpipe.seal.DatagramSealer;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.gradwire.backend.tensorpipe.seal.PairSecret;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A worker of this driver and a peer over the network: seals and opens their datagrams. Confined to
 * the driver's thread.
 */
final class SealedPair {
    private static final long SILENT_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long NEVER_HEARD_NANOS = TimeUnit.DAYS.toNanos(1);

    private final InetSocketAddress own;
    private final int ownSession;
    private final int peerSession;
    private final long dataKeyId;
    private final long statusKeyId;
    private final DatagramSealer dataSealer;
    private final DatagramSealer statusSealer;
    private final DatagramOpener dataOpener;
    private final DatagramOpener statusOpener;
    private long lastNanos;
    private boolean isHeard;

    SealedPair(PairHandover handover, NanoClock clock) {
        own = handover.own();
        PairSecret secret = handover.secret();
        ownSession = secret.session(true);
        peerSession = secret.session(false);
        dataKeyId = secret.keyId(Lane.DATA, false);
        statusKeyId = secret.keyId(Lane.STATUS, false);
        dataSealer = new DatagramSealer(secret, Lane.DATA, handover.limits(), clock);
        statusSealer = new DatagramSealer(secret, Lane.STATUS, handover.limits(), clock);
        dataOpener = new DatagramOpener(secret, Lane.DATA, clock);
        statusOpener = new DatagramOpener(secret, Lane.STATUS, clock);
        lastNanos = clock.nanoTime();
    }

    /** {@return the address at which the worker of this driver listens} */
    InetSocketAddress own() {
        return own;
    }

    /** {@return the session of the worker's log to the peer} */
    int ownSession() {
        return ownSession;
    }

    /** {@return the session of the peer's log to the worker} */
    int peerSession() {
        return peerSession;
    }

    /** {@return the key id of the peer's datagrams in a lane} */
    long keyId(Lane lane) {
        return lane == Lane.DATA ? dataKeyId : statusKeyId;
    }

    DatagramSealer sealer(Lane lane) {
        return lane == Lane.DATA ? dataSealer : statusSealer;
    }

    DatagramOpener opener(Lane lane) {
        return lane == Lane.DATA ? dataOpener : statusOpener;
    }

    /** A datagram of the peer was authentic. */
    void onHeard(long nowNanos) {
        isHeard = true;
        lastNanos = nowNanos;
    }

    /** {@return whether the worker or the peer has certainly ended: Aeron sends all the time} */
    boolean hasEnded(long nowNanos) {
        return nowNanos - lastNanos > (isHeard ? SILENT_NANOS : NEVER_HEARD_NANOS);
    }
}
