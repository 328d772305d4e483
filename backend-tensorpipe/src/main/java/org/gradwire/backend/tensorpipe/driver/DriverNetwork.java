package org.gradwire.backend.tensorpipe.driver;

import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Objects that the network sockets of a driver share. Confined to the driver's thread.
 *
 * @param sockets on which the driver sleeps; null without futexes
 * @param pairs whose datagrams are sealed
 * @param sealing of outgoing datagrams
 * @param opened memory for arriving datagrams
 * @param dropped counters of dropped frames and datagrams
 */
record DriverNetwork(
        DriverDirectory directory,
        @Nullable DriverSockets sockets,
        SealedPairs pairs,
        DatagramSealing sealing,
        OpenedDatagrams opened,
        DroppedFrames dropped) {

    /** Create it for a driver that starts. */
    static DriverNetwork of(DriverDirectory directory, @Nullable DriverSockets sockets) {
        var pairs = new SealedPairs(directory.path(), SystemNanoClock.INSTANCE);
        return new DriverNetwork(
                directory,
                sockets,
                pairs,
                new DatagramSealing(),
                new OpenedDatagrams(),
                new DroppedFrames());
    }
}
