package org.gradwire.runtime.rref;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.List;
import java.util.function.Consumer;

/** Handles the control messages of references. All are idempotent. */
public final class RRefHandlers {

    private RRefHandlers() {}

    public static List<RequestHandler> of(RRefContext context) {
        return List.of(
                new Handler(
                        MessageTypes.RREF_USER_DELETE,
                        request ->
                                context.onUserDeleted(
                                        request.from(), Deletions.Fork.readAll(request.body()))),
                new Handler(
                        MessageTypes.RREF_FORK_REQUEST,
                        request -> {
                            Input in = request.body();
                            context.onForkRequest(
                                    request.from(),
                                    GloballyUniqueId.read(in),
                                    GloballyUniqueId.read(in),
                                    RRefType.parse(in.readString()));
                        }),
                new Handler(
                        MessageTypes.RREF_SAVE_REQ,
                        request -> {
                            Input in = request.body();
                            context.saved()
                                    .onSaved(
                                            request.from(),
                                            GloballyUniqueId.read(in),
                                            GloballyUniqueId.read(in),
                                            RRefType.parse(in.readString()));
                        }),
                new LoadHandler(context.saved()),
                new Handler(
                        MessageTypes.RREF_CHILD_ACCEPT,
                        request ->
                                context.onChildAccepted(
                                        request.from(), GloballyUniqueId.read(request.body()))));
    }

    private record Handler(int requestType, Consumer<IncomingRequest> action)
            implements RequestHandler {
        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            action.accept(request);
            request.reply(MessageTypes.RREF_ACK, _ -> {});
        }
    }

    private record LoadHandler(SavedReferences saved) implements RequestHandler {
        @Override
        public int requestType() {
            return MessageTypes.RREF_LOAD_REQ;
        }

        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            Input in = request.body();
            boolean loaded =
                    saved.onLoaded(
                            request.from(),
                            GloballyUniqueId.read(in),
                            GloballyUniqueId.read(in),
                            GloballyUniqueId.read(in));
            request.reply(MessageTypes.RREF_LOAD_RESP, out -> out.writeBoolean(loaded));
        }
    }
}
