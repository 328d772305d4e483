package org.gradwire.runtime.profile;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.CallObservation;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicBoolean;

/** A call that an extension observes; its end is reported once. */
final class ObservedCall implements CallWatch {
    private final CallObservation observation;
    private final AtomicBoolean ended = new AtomicBoolean();

    ObservedCall(CallObservation observation) {
        this.observation = observation;
    }

    @Override
    public void left() {
        CallObservers.guarded(observation::leave);
    }

    /** End the observation: the call ends for its caller, even if the callee continues. */
    @Override
    public void cancelled() {
        ended(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            CallObservers.guarded(() -> observation.end(failure));
        }
    }
}
