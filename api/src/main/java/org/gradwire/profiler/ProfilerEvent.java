package org.gradwire.profiler;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Something that ran and has ended: a scope, an operator, or a call.
 *
 * @param id unique in its profile, more than zero
 * @param parent id of the event within which it began; {@link #NO_PARENT} when there was none
 * @param name a scope's; an operator's, {@code aten::add}; a call's, {@code
 *     rpc_sync#aten::add(worker0 -> worker1)}; one of a callee is the call's, {@code #remote_op: }
 *     and its name there
 * @param start by the clock of the host where it ran
 * @param duration to the nanosecond, on the clock of the process where it ran
 * @param nodeId id of the worker where it ran
 * @param threadId of the thread on which it began, there
 * @param remote whether it came from another worker with the reply to a call
 * @param detached whether it ended apart from its scope, so that it may reach beyond its parent
 * @param shapes of the tensors among the inputs, in order; empty unless asked for
 * @param allocatedBytes memory of the tensors that an operator made, without those of operators it
 *     is made of; 0 unless asked for
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
    /** The parent of an event that began within no other. */
    public static final long NO_PARENT = 0;

    public ProfilerEvent {
        shapes = shapes.stream().map(List::copyOf).toList();
    }

    /** Return the event as the caller sees it, in whose reply it came. */
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
