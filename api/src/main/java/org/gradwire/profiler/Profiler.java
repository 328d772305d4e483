package org.gradwire.profiler;

import org.gradwire.rpc.Rpc;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * Records what runs while it is open: scopes, operators on tensors, calls, and what these make run
 * on other workers.
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
 * <p><b>Threads.</b> It records the thread that started it, tasks that this thread forks, and
 * callbacks that it registers; other threads run as before. Callees record themselves and send
 * their events back with the reply, nested calls included; a call that fails brings none. Open and
 * close it on one thread. {@link #profile} may be called from any thread, also after the end, when
 * it has what has ended since.
 *
 * <p>Profilers nest: what happens in the inner one is in the outer one, too.
 */
public final class Profiler implements AutoCloseable {
    private final Recording recording;
    private final Runnable end;
    private boolean closed;

    private Profiler(Recording recording, Runnable end) {
        this.recording = recording;
        this.end = end;
    }

    /** As {@link #start(Rpc, ProfilerOptions)}, with names and times only. */
    public static Profiler start(Rpc rpc) {
        return start(rpc, ProfilerOptions.DEFAULT);
    }

    /**
     * Record the calling thread from now on.
     *
     * @param rpc the worker that the events of this thread are said to be of
     */
    public static Profiler start(Rpc rpc, ProfilerOptions options) {
        ProfilerState before = ProfilerState.current();
        ProfilerState state = ProfilerState.begin(options, rpc.self().id(), before);
        state.enter();
        return new Profiler(state.recording(), () -> ProfilerState.restore(before));
    }

    /** As {@link #startServed(Rpc, ProfilerOptions)}, with names and times only. */
    public static Profiler startServed(Rpc rpc) {
        return startServed(rpc, ProfilerOptions.DEFAULT);
    }

    /**
     * Record every function that a worker begins to run for its peers from now on, whether or not
     * these profile their calls. It may be closed on another thread; of nested ones, close the
     * inner first.
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
     * Begin an event on the calling thread; what begins before the scope is closed is within it.
     * Nothing happens when the thread is not recorded.
     */
    public static Scope scope(String name) {
        ProfilerState state = ProfilerState.current();
        return state == null ? NoScope.NONE : state.open(name, List.of());
    }

    /**
     * As {@link #scope(String)}, for an operator.
     *
     * @param shapes of its inputs; asked only when they are recorded
     */
    public static Scope scope(String name, Supplier<? extends List<List<Integer>>> shapes) {
        ProfilerState state = ProfilerState.current();
        if (state == null) {
            return NoScope.NONE;
        }
        return state.open(name, state.options().recordShapes() ? shapes.get() : List.of());
    }

    /** Count the memory of a new tensor to the innermost event of the calling thread. */
    public static void allocated(long bytes) {
        ProfilerState state = ProfilerState.current();
        if (state != null && state.options().recordMemory()) {
            state.allocated(bytes);
        }
    }

    /**
     * {@return the task, made to be recorded wherever it runs as if it ran here and now; the task
     * itself when this thread is not recorded}
     */
    public static Runnable carry(Runnable task) {
        @Nullable ProfilerState state = ProfilerState.current();
        return state == null ? task : () -> state.run(task);
    }

    /** {@return what has been recorded so far} */
    public Profile profile() {
        return recording.profile();
    }

    /** {@return the events so far, by their start; as {@code profile().events()}} */
    public List<ProfilerEvent> events() {
        return profile().events();
    }

    /** Record no more. Further calls do nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            end.run();
        }
    }
}
