package org.gradwire.runtime.profile;

import org.gradwire.profiler.Profiler;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;

import java.util.function.BooleanSupplier;

/** Creates the watches of outgoing calls: for profilers, Flight Recorder and observers. */
public final class CallWatcher {
    private final WorkerInfo self;
    private final ProfilingInterceptor profiling;
    private final CallObservers observers;

    public CallWatcher(WorkerInfo self, ProfilingInterceptor profiling, CallObservers observers) {
        this.self = self;
        this.profiling = profiling;
        this.observers = observers;
    }

    /**
     * Watch a call before this thread encodes it.
     *
     * @param inScript whether script code makes it
     */
    public CallWatch begin(
            CallMode mode, BooleanSupplier inScript, FunctionSchema function, WorkerInfo to) {
        CallWatch profiled = profile(mode, inScript, function, to);
        return CallWatch.both(profiled, observers.outgoing(function, to));
    }

    private CallWatch profile(
            CallMode mode, BooleanSupplier inScript, FunctionSchema function, WorkerInfo to) {
        CallWatch recorded = FlightRecords.call(mode, function, to);
        if (!Profiler.isOn()) {
            return recorded;
        }
        boolean script = inScript.getAsBoolean();
        if (script && mode == CallMode.REMOTE) {
            return recorded;
        }
        String key =
                "rpc_%s#%s(%s -> %s)"
                        .formatted(
                                (script ? CallMode.ASYNC_JIT : mode).text(),
                                function.name(),
                                self.name(),
                                to.name());
        return CallWatch.both(profiling.begin(key, to.id()), recorded);
    }

    /** Watch the fetch of a value, which only its caller profiles. */
    public CallWatch beginFetch(WorkerInfo owner) {
        if (!Profiler.isOn()) {
            return CallWatch.NONE;
        }
        return new LocalEvent("to_here#(%s)->(%s)".formatted(self.name(), owner.name()));
    }
}
