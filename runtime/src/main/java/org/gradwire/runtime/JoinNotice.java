package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * What a newcomer tells the members, which answer when they can call it.
 *
 * @param place in the log of changes where it came
 */
record JoinNotice(long place) {

    /**
     * Tell the members, and wait for their answers.
     *
     * @param counts whether the failure of a member is one; not when it has left meanwhile
     */
    void send(Group.Host host, List<WorkerInfo> members, Predicate<WorkerInfo> counts) {
        Map<WorkerInfo, RpcFuture<Input>> answers = new LinkedHashMap<>();
        for (WorkerInfo member : members) {
            answers.put(
                    member,
                    host.request(
                            member.id(), MessageTypes.JOIN_REQ, out -> out.writeLong(place), null));
        }
        answers.forEach((member, answer) -> {
            try {
                answer.join();
            } catch (RpcException e) {
                if (counts.test(member)) {
                    throw e;
                }
            }
        });
    }

    /**
     * Takes notices in.
     *
     * @param readUpTo returns when the changes up to a place have been applied
     */
    record Handler(LongConsumer readUpTo) implements RequestHandler {
        @Override
        public int requestType() {
            return MessageTypes.JOIN_REQ;
        }

        /** Reading the log and connecting takes a while. */
        @Override
        public boolean light() {
            return false;
        }

        @Override
        public void handle(IncomingRequest request) {
            readUpTo.accept(request.body().readLong());
            request.reply(MessageTypes.GATHER_ACK, _ -> {});
        }
    }
}
