package org.gradwire.examples.elastic;

import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberEvent.Kind;
import org.gradwire.rpc.GroupView.MemberSubscription;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerInfo;

import java.util.Optional;

/**
 * Prints which workers were lost, and which have returned. Each member sees the same changes; the
 * first one that they do not concern prints them.
 */
public final class MemberNotices {

    private MemberNotices() {}

    /** Print until the subscription is closed. In a static group no worker is lost or returns. */
    public static MemberSubscription print(Rpc rpc) {
        return rpc.isDynamic() ? rpc.onMember(event -> print(rpc.self(), event)) : () -> {};
    }

    private static void print(WorkerInfo self, MemberEvent event) {
        boolean isLost = event.kind() == Kind.LOST;
        if ((isLost || event.kind() == Kind.RETURNED)
                && printer(event).filter(self::equals).isPresent()) {
            System.out.printf(
                    "view %d: %s %s, members: %s%n",
                    event.view().number(),
                    event.worker().name(),
                    isLost ? "was lost" : "has returned",
                    event.view().names());
        }
    }

    /** {@return the first member that the change does not concern} */
    private static Optional<WorkerInfo> printer(MemberEvent event) {
        return event.view().members().stream()
                .filter(member -> !member.equals(event.worker()))
                .findFirst();
    }
}
