package org.gradwire.profiler;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A scope, an operator or a call that has ended.
 *
 * @param id unique in its profile, more than zero
 * @param parent id of the event within which this one began; {@link #NO_PARENT} if there was none
 * @param name the name of a scope; of an operator, {@code aten::add}; of a call, {@code
 *     rpc_sync#aten::add(worker0 -> worker1)}; an event of a callee has the name of the call,
 *     {@code #remote_op: } and its own name
 * @param start by the clock of the host where it ran
 * @param duration to the nanosecond, on the clock of the process where it ran
 * @param nodeId id of the worker where it ran
 * @param threadId of the thread on which it began, there
 * @param remote whether another worker sent it with the reply to a call
 * @param detached whether it ended apart from its scope, so that it may end after its parent
 * @param shapes of the tensors among the inputs, in order; empty unless recorded
 * @param allocatedBytes memory of the tensors that an operator made, without the operators that it
 *     calls; 0 unless recorded
 */
public record ProfilerEvent(
        long id,
        long parent,
        String name,
        Instant start,
        Duration duration,
        int nodeId,
        long threadId,
        boolean remote,
        boolean detached,
        List<List<Integer>> shapes,
        long allocatedBytes) {
    /** The parent id of an event that has no parent. */
    public static final long NO_PARENT = 0;

    public ProfilerEvent {
        shapes = shapes.stream().map(List::copyOf).toList();
    }

    /** Return the event of a callee as one of its caller. */
    ProfilerEvent received(long newId, long newParent, String prefix) {
        return new ProfilerEvent(
                newId,
                newParent,
                prefix + name,
                start,
                duration,
                nodeId,
                threadId,
                true,
                detached,
                shapes,
                allocatedBytes);
    }
}
