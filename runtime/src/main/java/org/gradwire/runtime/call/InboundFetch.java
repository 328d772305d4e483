package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.call.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.PeerLimit;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A peer's fetch of a value that this worker owns. Replies when the value exists, in the autograd
 * context of the peer.
 */
final class InboundFetch {
    private final CallServices services;
    private final PeerLimit limit;
    private final InboundRequest request;
    private final DecodedMessage message;

    InboundFetch(
            CallServices services,
            PeerLimit limit,
            InboundRequest request,
            DecodedMessage message) {
        this.services = services;
        this.limit = limit;
        this.request = request;
        this.message = message;
    }

    void run() {
        Input in = message.body();
        GloballyUniqueId rrefId = GloballyUniqueId.read(in);
        String typeName = in.readString();
        var type = new RRefType(FunctionKind.ofCode(in.readInt()), typeName);
        List<ScopeOf> scopes = InterceptorScopes.of(message);
        int from = request.from();
        CallFuture<@Nullable Object> value = services.rrefs().ownedValue(from, rrefId, type);
        if (!value.isDone()) {
            request.keepOpen();
        }
        limit.enter(from);
        value.whenEnded((result, failure) -> {
            limit.leave(from);
            RuntimeException refusal = failure == null ? refusal(rrefId) : failure;
            if (refusal != null) {
                request.replyFailure(replyType(), refusal);
            } else if (services.codec().values().isLight(result)) {
                reply(scopes, result);
            } else {
                services.threads().execute(() -> reply(scopes, result));
            }
        });
    }

    private int replyType() {
        return message.type() == MessageTypes.SCRIPT_RREF_FETCH_CALL
                ? MessageTypes.SCRIPT_RREF_FETCH_RET
                : MessageTypes.UDF_RREF_FETCH_RET;
    }

    private void reply(List<ScopeOf> scopes, @Nullable Object result) {
        request.reply(replyType(), scopes, out -> CallBody.writeValue(result, out));
    }

    /**
     * {@return the reason why the value may not be sent, which depends on its class; null if it
     * may}
     */
    private @Nullable RuntimeException refusal(GloballyUniqueId rrefId) {
        try {
            services.rrefs().requireFetchable(rrefId, request.from());
            return null;
        } catch (RpcException e) {
            return e;
        }
    }
}
