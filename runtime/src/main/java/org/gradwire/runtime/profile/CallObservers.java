package org.gradwire.runtime.profile;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallObservation;
import org.gradwire.spi.CallObserver;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The observers of calls that extensions provide. Their failures do not affect calls. */
public final class CallObservers {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    private final List<CallObserver> observers;

    public CallObservers(List<CallObserver> observers) {
        this.observers = List.copyOf(observers);
    }

    CallWatch outgoing(FunctionSchema function, WorkerInfo to) {
        return observers.isEmpty()
                ? CallWatch.NONE
                : watch(observer -> observer.outgoing(function, to));
    }

    /** Watch an inbound call, before this thread runs its function. */
    public CallWatch served(FunctionSchema function, int from, IntFunction<String> names) {
        if (observers.isEmpty()) {
            return CallWatch.NONE;
        }
        var caller = new WorkerInfo(from, names.apply(from));
        return watch(observer -> observer.served(function, caller));
    }

    /** {@return a callback that runs in the context of this thread} */
    public Runnable carry(Runnable callback) {
        Runnable carried = callback;
        for (CallObserver observer : observers) {
            try {
                carried = observer.carry(carried);
            } catch (RuntimeException failure) {
                log(failure);
            }
        }
        return carried;
    }

    /** Begin all observations; the last to begin is the first to leave. */
    private CallWatch watch(Function<CallObserver, @Nullable CallObservation> begin) {
        CallWatch all = CallWatch.NONE;
        for (CallObserver observer : observers) {
            try {
                CallObservation observation = begin.apply(observer);
                if (observation != null) {
                    all = CallWatch.both(new ObservedCall(observation), all);
                }
            } catch (RuntimeException failure) {
                log(failure);
            }
        }
        return all;
    }

    static void guarded(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException failure) {
            log(failure);
        }
    }

    private static void log(RuntimeException failure) {
        LOGGER.log(System.Logger.Level.WARNING, "an observer of calls failed", failure);
    }
}
