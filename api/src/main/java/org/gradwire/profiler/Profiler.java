package org.gradwire.profiler;

import org.gradwire.rpc.Rpc;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * Records scopes, operators on tensors, calls, and the events of their callees while it is open.
 *
 * {@snippet :
 * try (Profiler profiler = Profiler.start(rpc)) {
 *     try (Scope scope = Profiler.scope("step")) {
 *         rpc.rpcSync("worker1", Ops::add, a, b);
 *     }
 *     IO.println(profiler.profile().table());
 * }
 * }
 *
 * <p><b>Threads.</b> A profiler records the thread that started it, the tasks that this thread
 * forks, and the callbacks that it registers, and no other thread. Callees record themselves and
 * send their events with the reply, nested calls included; the reply of a failed call carries no
 * events. Open and close it on one thread. {@link #profile} may be called from any thread, also
 * after {@link #close}: it then includes the events that have ended since.
 *
 * <p>Profilers nest: the outer one contains the events of the inner one.
 */
public final class Profiler implements AutoCloseable {
    private final Recording recording;
    private final Runnable end;
    private boolean closed;

    private Profiler(Recording recording, Runnable end) {
        this.recording = recording;
        this.end = end;
    }

    /**
     * Start recording the calling thread, names and times only; see {@link #start(Rpc,
     * ProfilerOptions)}.
     */
    public static Profiler start(Rpc rpc) {
        return start(rpc, ProfilerOptions.DEFAULT);
    }

    /**
     * Record the calling thread from now on.
     *
     * @param rpc the worker to which the events of this thread are assigned
     */
    public static Profiler start(Rpc rpc, ProfilerOptions options) {
        ProfilerState before = ProfilerState.current();
        ProfilerState state = ProfilerState.begin(options, rpc.self().id(), before);
        state.enter();
        return new Profiler(state.recording(), () -> ProfilerState.restore(before));
    }

    /**
     * Start recording the functions that a worker runs for its peers, names and times only; see
     * {@link #startServed(Rpc, ProfilerOptions)}.
     */
    public static Profiler startServed(Rpc rpc) {
        return startServed(rpc, ProfilerOptions.DEFAULT);
    }

    /**
     * Record every function that a worker begins to run for its peers from now on, whether or not
     * these profile their calls. The profiler may be closed on another thread; of nested ones,
     * close the inner first.
     */
    public static Profiler startServed(Rpc rpc, ProfilerOptions options) {
        ServedProfiles served = ServedProfiles.of(rpc);
        ProfilerState state = served.begin(options, rpc.self().id());
        return new Profiler(state.recording(), () -> served.end(state));
    }

    /** {@return whether the calling thread is being recorded} */
    public static boolean isOn() {
        return ProfilerState.current() != null;
    }

    /**
     * Begin an event on the calling thread. Events that begin before the scope is closed become its
     * children. Does nothing on a thread that is not recorded.
     */
    public static Scope scope(String name) {
        ProfilerState state = ProfilerState.current();
        return state == null ? NoScope.NONE : state.open(name, List.of());
    }

    /**
     * Begin the event of an operator; see {@link #scope(String)}.
     *
     * @param shapes supplies the shapes of the inputs; called only when shapes are recorded
     */
    public static Scope scope(String name, Supplier<? extends List<List<Integer>>> shapes) {
        ProfilerState state = ProfilerState.current();
        if (state == null) {
            return NoScope.NONE;
        }
        return state.open(name, state.options().recordShapes() ? shapes.get() : List.of());
    }

    /** Add the memory of a new tensor to the innermost event of the calling thread. */
    public static void allocated(long bytes) {
        ProfilerState state = ProfilerState.current();
        if (state != null && state.options().recordMemory()) {
            state.allocated(bytes);
        }
    }

    /**
     * {@return a task that is recorded as if it ran here, whatever thread runs it; the task itself
     * when this thread is not recorded}
     */
    public static Runnable carry(Runnable task) {
        @Nullable ProfilerState state = ProfilerState.current();
        return state == null ? task : () -> state.run(task);
    }

    /** {@return the events recorded so far} */
    public Profile profile() {
        return recording.profile();
    }

    /** Stop recording. Further calls do nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            end.run();
        }
    }
}
