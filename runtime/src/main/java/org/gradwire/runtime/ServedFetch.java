package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.MessageFactory.ScopeOf;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The fetch of a value that this worker owns: answered when the value exists, in the autograd
 * context of the one who asks.
 */
final class ServedFetch {
    private final CallReceiver receiver;
    private final Exchange exchange;
    private final Opened opened;

    ServedFetch(CallReceiver receiver, Exchange exchange, Opened opened) {
        this.receiver = receiver;
        this.exchange = exchange;
        this.opened = opened;
    }

    void run() {
        Input in = opened.body();
        GloballyUniqueId rrefId = GloballyUniqueId.read(in);
        String typeName = in.readString();
        var type = new RRefType(FunctionKind.ofCode(in.readInt()), typeName);
        List<ScopeOf> scopes = CallReceiver.scopes(opened);
        int from = exchange.from();
        CallFuture<@Nullable Object> value = receiver.rrefs().ownedValue(from, rrefId, type);
        int replyType =
                opened.type() == MessageTypes.SCRIPT_RREF_FETCH_CALL
                        ? MessageTypes.SCRIPT_RREF_FETCH_RET
                        : MessageTypes.PYTHON_RREF_FETCH_RET;
        if (!value.isDone()) {
            exchange.keepOpen();
        }
        receiver.fetches().enter(from);
        value.whenEnded((result, failure) -> {
            receiver.fetches().leave(from);
            RuntimeException refusal = failure == null ? refusal(rrefId) : failure;
            if (refusal != null) {
                exchange.replyFailure(replyType, refusal);
            } else if (receiver.codec().values().isLight(result)) {
                exchange.reply(replyType, scopes, out -> CallBody.writeValue(result, out));
            } else {
                receiver.threads()
                        .execute(() ->
                                exchange.reply(
                                        replyType,
                                        scopes,
                                        out -> CallBody.writeValue(result, out)));
            }
        });
    }

    /** Of what type a value is, is known for certain when it exists. */
    private @Nullable RuntimeException refusal(GloballyUniqueId rrefId) {
        try {
            receiver.rrefs().requireFetchable(rrefId, exchange.from());
            return null;
        } catch (RpcException e) {
            return e;
        }
    }
}
