package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.BitSet;

/** The failures of operations, with texts that name the operation and its members. */
final class Failures {

    private Failures() {}

    /**
     * Return the failure of an operation whose peer runs another one.
     *
     * @param own the operation of this worker
     */
    static Failure mismatch(Members members, Signature own, Part part) {
        return Failure.mismatch(
                "operation %d of the group %s: %s calls %s, but %s calls %s%s"
                        .formatted(
                                part.number(),
                                members.identity().name(),
                                members.self(),
                                own,
                                members.name(members.rankOf(part.from())),
                                part.signature(),
                                own.unnamedDifference(part.signature())));
    }

    /**
     * Return the failure of an operation whose wait for parts has ended without them.
     *
     * @param end of the wait: a timeout or an interrupt
     */
    static Failure unfinished(Members members, Round round, Duration timeout, RpcException end) {
        return Failure.of(
                end.kind(),
                "%s waited on %s for %s, which did not take part within %s (%s)"
                        .formatted(
                                round.text(),
                                members.self(),
                                members.names(round.awaited()),
                                timeout,
                                end.getMessage()));
    }

    /** {@return the failure of an operation that needs members that have closed the group} */
    static Failure closedBy(Members members, BitSet ranks) {
        return Failure.of(
                RpcErrorKind.SHUTDOWN,
                "%s closed the group %s"
                        .formatted(members.names(ranks), members.identity().name()));
    }
}
