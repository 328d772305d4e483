package org.gradwire.collective;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Worker;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The worker extension that adds process groups. */
final class CollectiveExtension implements RpcExtension {
    private final Groups groups;
    private final CallSites sites;

    CollectiveExtension(Worker worker) {
        this.groups = new Groups(worker);
        this.sites = new CallSites(worker.settings().flag(CallSites.SETTING.key()));
    }

    Groups groups() {
        return groups;
    }

    CallSites sites() {
        return sites;
    }

    @Override
    public List<RequestHandler> handlers() {
        return List.of(
                new Handler(MessageTypes.COLLECTIVE_REQ, this::onPart),
                new Handler(MessageTypes.COLLECTIVE_END_REQ, this::onEnd));
    }

    private void onPart(IncomingRequest request) {
        groups.onPart(Part.read(request)); // which acknowledges it, now or later
    }

    private void onEnd(IncomingRequest request) {
        Input in = request.body();
        long group = in.readLong();
        groups.onEnd(request.from(), group, Failure.read(in));
        request.reply(MessageTypes.COLLECTIVE_ACK, _ -> {});
    }

    @Override
    public void onPeerLost(int peer, RpcException reason) {
        groups.onPeerLost(peer, reason);
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new TreeMap<>();
        info.put("num_process_groups", Integer.toString(groups.size()));
        info.put("num_early_collective_messages", Integer.toString(groups.earlyParts()));
        return info;
    }

    @Override
    public void close() {
        groups.stop();
    }

    private record Handler(int requestType, Consumer<IncomingRequest> action)
            implements RequestHandler {

        /** {@inheritDoc} True: a part is only kept, for the thread that waits for it. */
        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            action.accept(request);
        }
    }
}
