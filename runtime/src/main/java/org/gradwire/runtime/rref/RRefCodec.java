package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.rref.SavedReferences.Saved;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;

/**
 * Encodes references. A write creates a fork of the reference; a read attaches {@link Received} to
 * the message.
 */
@SuppressWarnings("rawtypes") // the codec is of the raw type
public final class RRefCodec implements ValueCodec<RRef> {
    private final RRefContext context;

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
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void encode(RRef value, Output out) {
        if (!(value instanceof AbstractRRef<?> rref) || !(out instanceof WireOutput message)) {
            throw new TypeMismatchException(
                    "a reference of %s cannot be sent by this worker"
                            .formatted(value.getClass().getName()));
        }
        rref.requireOpen(UserState.NOT_SENDABLE);
        boolean saving = out.destination() == Output.NOWHERE;
        if (saving) {
            context.saved().requireScope();
        }
        ForkData fork = rref.fork(out.destination());
        message.onAbort(() -> context.undoFork(fork));
        fork.write(out);
        if (saving) {
            out.attach(Saved.class, new Saved(fork));
        }
        rref.endTenure(HandleLifetime.MESSAGE);
    }

    @Override
    public RRef decode(Input in) {
        ForkData fork = ForkData.read(in);
        Received received =
                in.source() == Output.NOWHERE
                        ? context.load(fork)
                        : context.receive(in.source(), fork);
        in.attach(Received.class, received);
        return received.rref();
    }
}
