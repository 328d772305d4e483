package org.gradwire.runtime.profile;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

import org.jspecify.annotations.Nullable;

/** A Flight Recorder event: a call that this worker makes. */
@Name("org.gradwire.RpcCall")
@Label("RPC call")
@Description("A call that a worker of this JVM made, from its encoding to its end")
@Category("Gradwire")
@StackTrace(false)
final class RpcCallEvent extends Event {
    @Label("Function")
    @Nullable String function;

    @Label("Mode")
    @Description("sync, async or remote")
    @Nullable String mode;

    @Label("Peer")
    @Description("Name of the worker that was called")
    @Nullable String peer;

    @Label("Outcome")
    @Description("ok, or the type of the failure")
    @Nullable String outcome;
}
