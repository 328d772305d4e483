package org.gradwire.profiler;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A thread's position in a profile: the recording that gets its events, and its innermost event.
 * Another thread that enters the state continues from there.
 *
 * <p>Immutable. All methods may be called from any thread.
 */
public final class ProfilerState {
    private static final ThreadLocal<@Nullable ProfilerState> CURRENT = new ThreadLocal<>();

    private final Recording recording;
    private final @Nullable OpenScope scope;
    private final long eventId;

    private ProfilerState(Recording recording, @Nullable OpenScope scope, long eventId) {
        this.recording = recording;
        this.scope = scope;
        this.eventId = eventId;
    }

    /**
     * Begin a recording, which no thread has entered yet.
     *
     * @param nodeId worker where its events happen
     * @param outer a recording that receives the same events; null for none
     */
    public static ProfilerState begin(
            ProfilerOptions options, int nodeId, @Nullable ProfilerState outer) {
        Recording around = outer == null ? null : outer.recording;
        return new ProfilerState(
                new Recording(options, nodeId, around),
                null,
                outer == null ? ProfilerEvent.NO_PARENT : outer.eventId);
    }

    /** {@return the state of the calling thread; null when it is not recorded} */
    public static @Nullable ProfilerState current() {
        return CURRENT.get();
    }

    /** Make this the state of the calling thread. */
    public void enter() {
        CURRENT.set(this);
    }

    /** Restore an earlier state of the calling thread; null if it was not recorded. */
    public static void restore(@Nullable ProfilerState before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Run a task in this state, and restore the state of the calling thread afterwards. */
    public void run(Runnable task) {
        ProfilerState before = current();
        enter();
        try {
            task.run();
        } finally {
            restore(before);
        }
    }

    /** {@return the options of the recording} */
    public ProfilerOptions options() {
        return recording.options();
    }

    /** {@return the events recorded so far} */
    public Profile profile() {
        return recording.profile();
    }

    /**
     * Add the events of a callee below the event of this state.
     *
     * @param key name of the call, put in front of the events' names
     */
    public void addRemote(String key, Profile remote) {
        recording.addRemote(key, eventId, remote);
    }

    Recording recording() {
        return recording;
    }

    long eventId() {
        return eventId;
    }

    Scope open(String name, List<List<Integer>> shapes) {
        return OpenScope.open(this, name, shapes);
    }

    ProfilerState within(OpenScope inner) {
        return new ProfilerState(recording, inner, inner.id());
    }

    void allocated(long bytes) {
        if (scope != null) {
            scope.allocated(bytes);
        }
    }
}
