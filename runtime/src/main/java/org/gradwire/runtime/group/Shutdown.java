package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.collective.AllGather;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.thread.InFlight;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The orderly shutdown of a static group: all workers announce that they leave, delete their
 * references, and wait until no call is in flight anywhere, since a served call may make others.
 */
final class Shutdown {
    private final StaticGroup group;
    private final Members members;
    private final AllGather allGather;
    private final RRefContext rrefs;
    private final InFlight inFlight;

    Shutdown(StaticGroup group, ShutdownContext context) {
        this.group = group;
        members = context.members();
        allGather = context.allGather();
        rrefs = context.rrefs();
        inFlight = context.inFlight();
    }

    /**
     * Leave together with all others.
     *
     * @param timeout zero means no timeout
     */
    void leaveTogether(Duration timeout) {
        try {
            allGather.leave(timeout);
        } catch (RpcException e) {
            throw new RpcException(
                    e.kind(), "the orderly shutdown of the group failed: " + e.getMessage(), e);
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
        if (!new Quiescence(group, inFlight.kinds()).await(giveUp)
                || !group.barrier("end", giveUp)) {
            throw gaveUp(timeout);
        }
    }

    private RpcException gaveUp(Duration timeout) {
        if (members.lost().isEmpty()) {
            return new RpcTimeoutException(
                    "the group did not become idle within %d ms; %s"
                            .formatted(timeout.toMillis(), inFlight));
        }
        List<String> names =
                members.lost().keySet().stream()
                        .map(id -> members.byIdIncludingLost(id).name())
                        .toList();
        return new RpcException(
                RpcErrorKind.CONNECTION,
                "an orderly shutdown needs all workers, but %s were lost".formatted(names));
    }
}
