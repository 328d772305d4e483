package org.gradwire.runtime.profile;

import jdk.jfr.FlightRecorder;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.function.IntFunction;

/**
 * Records calls with Flight Recorder. While it does not record, the compiler removes the event
 * object and folds the check to a constant. Before it has been started for the first time, the
 * classes of the events are not initialized, which takes the JVM 100 to 200 ms.
 */
public final class FlightRecords {

    private FlightRecords() {}

    static CallWatch call(CallMode mode, FunctionSchema function, WorkerInfo to) {
        if (!FlightRecorder.isInitialized()) {
            return CallWatch.NONE;
        }
        var event = new RpcCallEvent();
        return event.isEnabled() ? begin(event, mode, function, to) : CallWatch.NONE;
    }

    private static CallWatch begin(
            RpcCallEvent event, CallMode mode, FunctionSchema function, WorkerInfo to) {
        event.begin();
        return failure -> {
            event.end();
            if (event.shouldCommit()) {
                event.function = function.name();
                event.mode = mode.text();
                event.peer = to.name();
                event.outcome = outcome(failure);
                event.commit();
            }
        };
    }

    /** Watch an inbound call. */
    public static CallWatch served(FunctionSchema function, int from, IntFunction<String> names) {
        if (!FlightRecorder.isInitialized()) {
            return CallWatch.NONE;
        }
        var event = new ServedCallEvent();
        return event.isEnabled() ? begin(event, function, from, names) : CallWatch.NONE;
    }

    private static CallWatch begin(
            ServedCallEvent event, FunctionSchema function, int from, IntFunction<String> names) {
        event.begin();
        return failure -> {
            event.end();
            if (event.shouldCommit()) {
                event.function = function.name();
                event.peer = names.apply(from);
                event.outcome = outcome(failure);
                event.commit();
            }
        };
    }

    private static String outcome(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> "ok";
            case RemoteException e -> e.remoteType();
            default -> failure.getClass().getName();
        };
    }
}
