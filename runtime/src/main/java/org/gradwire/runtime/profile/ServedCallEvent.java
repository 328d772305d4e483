package org.gradwire.runtime.profile;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

import org.jspecify.annotations.Nullable;

/** A Flight Recorder event: a call that this worker serves. */
@Name("org.gradwire.ServedCall")
@Label("Served RPC call")
@Description("A call that a worker of this JVM served, from its decoding to its reply")
@Category("Gradwire")
@StackTrace(false)
final class ServedCallEvent extends Event {
    @Label("Function")
    @Nullable String function;

    @Label("Peer")
    @Description("Name of the worker that called")
    @Nullable String peer;

    @Label("Outcome")
    @Description("ok, or the type of the failure")
    @Nullable String outcome;
}
