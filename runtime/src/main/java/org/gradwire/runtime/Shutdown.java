package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.rref.RRefContext;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The orderly end of a worker: all say that they want to leave; references are given up; everybody
 * waits until no call is under way anywhere, since serving one may make others.
 */
final class Shutdown {
    private final StaticGroup group;
    private final Members members;
    private final Gathering gathering;
    private final RRefContext rrefs;
    private final ActiveCalls outgoing;
    private final ActiveCalls incoming;
    private final ActiveCalls unsent;

    Shutdown(StaticGroup group, Parting parting) {
        this.group = group;
        members = parting.members();
        gathering = parting.gathering();
        rrefs = parting.rrefs();
        outgoing = parting.outgoing();
        incoming = parting.incoming();
        unsent = parting.unsent();
    }

    /**
     * Leave together with all others.
     *
     * @param timeout zero: without end
     */
    void leaveTogether(Duration timeout) {
        try {
            gathering.leave(timeout);
        } catch (RpcException e) {
            throw new RpcException(
                    e.kind(),
                    "Failed to respond to 'Shutdown Proceed' in time, got error " + e.getMessage(),
                    e);
        }
        rrefs.deleteAll(timeout);
        awaitQuiescence(timeout);
    }

    private void awaitQuiescence(Duration timeout) {
        long start = System.nanoTime();
        BooleanSupplier giveUp =
                () ->
                        !members.lost().isEmpty()
                                || (!timeout.isZero()
                                        && System.nanoTime() - start > timeout.toNanos());
        if (!new Quiescence(group, unsent, outgoing, incoming).await(giveUp)
                || !group.barrier("end", giveUp)) {
            throw gaveUp(timeout);
        }
    }

    private RpcException gaveUp(Duration timeout) {
        if (members.lost().isEmpty()) {
            return new RpcTimeoutException(
                    "the group did not come to rest within %d ms; %d calls of this worker and %d calls of peers are still under way, and %d control messages wait to be sent"
                            .formatted(
                                    timeout.toMillis(),
                                    outgoing.count(),
                                    incoming.count(),
                                    unsent.count()));
        }
        List<String> names =
                members.lost().keySet().stream().map(id -> members.everKnown(id).name()).toList();
        return new RpcException(
                RpcErrorKind.CONNECTION,
                "an orderly shutdown needs all workers, but %s were lost".formatted(names));
    }
}
