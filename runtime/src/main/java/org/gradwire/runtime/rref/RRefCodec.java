package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.rref.SavedReferences.Loaded;
import org.gradwire.runtime.rref.SavedReferences.Saved;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;
import org.jspecify.annotations.Nullable;

/**
 * References on the wire. Sending one enters a fork of it; a received one that its owner must hear
 * of first is noted as {@link PendingConfirmation}.
 */
@SuppressWarnings("rawtypes") // the codec is of the raw type
public final class RRefCodec implements ValueCodec<RRef> {
    private final RRefContext context;

    /**
     * Left in a request for each reference whose owner does not know of it yet; the function must
     * not start before.
     */
    public record PendingConfirmation(CallFuture<@Nullable Void> confirmation) {}

    public RRefCodec(RRefContext context) {
        this.context = context;
    }

    @Override
    public String tag() {
        return "rref";
    }

    @Override
    public Class<RRef> type() {
        return RRef.class;
    }

    @Override
    public boolean light() {
        return true;
    }

    @Override
    public void encode(RRef value, Output out) {
        if (!(value instanceof AbstractRRef<?> rref) || !(out instanceof WireOutput message)) {
            throw new TypeMismatchException(
                    "a reference of %s cannot be sent by this worker"
                            .formatted(value.getClass().getName()));
        }
        boolean saving = out.destination() == Output.NOWHERE;
        if (saving) {
            context.saved().requireScope();
        }
        ForkData fork = rref.fork(out.destination());
        message.onAbort(() -> context.undoFork(fork));
        fork.write(out);
        if (saving) {
            out.note(Saved.class, new Saved(fork));
        }
    }

    @Override
    public RRef decode(Input in) {
        if (in.source() == Output.NOWHERE) {
            return load(in);
        }
        Received received = context.receive(ForkData.read(in));
        if (received.confirmation() != null) {
            in.note(PendingConfirmation.class, new PendingConfirmation(received.confirmation()));
        }
        return received.rref();
    }

    private RRef load(Input in) {
        Received received = context.load(ForkData.read(in));
        in.note(Loaded.class, new Loaded(received.rref(), received.confirmation()));
        return received.rref();
    }
}
