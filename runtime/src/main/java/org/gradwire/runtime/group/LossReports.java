package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Leave;

import java.util.function.LongSupplier;

/** Reports the members that a worker has lost to its group. Thread-safe. */
final class LossReports {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");

    private final WorkerInfo self;
    private final LongSupplier ownPlace;
    private final MembershipLog log;
    private final MemberLease lease;

    LossReports(WorkerInfo self, LongSupplier ownPlace, MembershipLog log, MemberLease lease) {
        this.self = self;
        this.ownPlace = ownPlace;
        this.log = log;
        this.lease = lease;
    }

    /**
     * Report a lost member, on another thread, when its lease has vanished.
     *
     * @param place where it joined
     * @param onFailure called if the store cannot be reached
     */
    void report(WorkerInfo peer, long place, Runnable onFailure) {
        Thread.ofVirtual()
                .name("gradwire-" + self.name() + "-loss")
                .start(() -> {
                    try {
                        lease.awaitVanished(peer, place);
                        if (lease.lapse() == null) {
                            log.append(new Leave(place, ownPlace.getAsLong()));
                        }
                    } catch (RpcException e) {
                        warn(peer, e);
                        onFailure.run();
                    }
                });
    }

    private void warn(WorkerInfo peer, RpcException e) {
        if (e.kind() != RpcErrorKind.SHUTDOWN) { // this worker has stopped meanwhile
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot report that {1} is lost: {2}",
                    self,
                    peer,
                    e.getMessage());
        }
    }
}
