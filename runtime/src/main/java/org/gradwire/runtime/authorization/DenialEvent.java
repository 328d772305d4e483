package org.gradwire.runtime.authorization;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

/** A refused request, for Flight Recorder; at most 100 a second, since a peer decides how many. */
@Name("org.gradwire.PermissionDenied")
@Label("Permission denied")
@Description("A request that a worker of this JVM does not permit to its sender")
@Category("Gradwire")
@StackTrace(false)
@Throttle("100/s")
final class DenialEvent extends Event {
    @Label("Worker")
    @Description("Name of the worker that refused")
    @Nullable String worker;

    @Label("Caller")
    @Description("Name of the worker that sent the request")
    @Nullable String caller;

    @Label("Id of caller")
    int callerId;

    @Label("Address")
    @Description("Network address of the caller")
    @Nullable String address;

    @Label("Action")
    @Description("The function, operator or permission")
    @Nullable String action;

    @Label("Reason")
    @Nullable String reason;

    static void record(
            WorkerInfo worker, WorkerInfo caller, String address, String action, String reason) {
        var event = new DenialEvent();
        if (event.shouldCommit()) {
            event.worker = worker.name();
            event.caller = caller.name();
            event.callerId = caller.id();
            event.address = address;
            event.action = action;
            event.reason = reason;
            event.commit();
        }
    }
}
