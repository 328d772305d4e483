package org.gradwire.runtime.profile;

import org.gradwire.profiler.Profile;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.ProfilerOptions;
import org.gradwire.profiler.ProfilerState;
import org.gradwire.profiler.Scope;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** A call of a profiled thread: an event with the callee's events below it. */
final class ProfiledCall implements CallWatch {
    private final ProfilingInterceptor profiling;
    private final String key;
    private final int callee;
    private final long id;
    private final ProfilerState inside;
    private final Runnable end;

    ProfiledCall(ProfilingInterceptor profiling, String key, int callee, long id) {
        this.profiling = profiling;
        this.key = key;
        this.callee = callee;
        this.id = id;
        Scope scope = Profiler.scope(key);
        this.inside = Objects.requireNonNull(ProfilerState.current());
        this.end = scope.detach();
    }

    String key() {
        return key;
    }

    int callee() {
        return callee;
    }

    long id() {
        return id;
    }

    ProfilerOptions options() {
        return inside.options();
    }

    void received(Profile remote) {
        inside.addRemote(key, remote);
    }

    @Override
    public boolean expectsEvents() {
        return true;
    }

    @Override
    public void left() {
        profiling.clearCurrent();
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        profiling.forget(this);
        end.run();
    }
}
