package org.gradwire.profiler;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where a thread is in a profile: which recording gets its events, and within which event it is.
 * Take it along to let another thread go on from here.
 *
 * <p>It does not change. All methods may be called from any thread.
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
     * Begin a recording. No thread enters it by that.
     *
     * @param nodeId worker where its events happen
     * @param outer gets all events as well; null for none
     */
    public static ProfilerState begin(
            ProfilerOptions options, int nodeId, @Nullable ProfilerState outer) {
        Recording around = outer == null ? null : outer.recording;
        return new ProfilerState(
                new Recording(options, nodeId, around),
                null,
                outer == null ? ProfilerEvent.NO_PARENT : outer.eventId);
    }

    /** {@return where the calling thread is; null when it is not recorded} */
    public static @Nullable ProfilerState current() {
        return CURRENT.get();
    }

    /** Let the calling thread go on from here. */
    public void enter() {
        CURRENT.set(this);
    }

    /** Let the calling thread be where it was before; null when it was not recorded. */
    public static void restore(@Nullable ProfilerState before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Run a task here, and let the calling thread be where it was afterwards. */
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

    /** {@return what has been recorded so far} */
    public Profile profile() {
        return recording.profile();
    }

    /**
     * Add what a callee recorded, below the event that this state is in.
     *
     * @param key name of the call, which the events' names get in front
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
