package org.gradwire.runtime.profile;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.jspecify.annotations.Nullable;

/** A call as an event of the calling thread. */
final class LocalEvent implements CallWatch {
    private final Runnable end;

    LocalEvent(String name) {
        Scope scope = Profiler.scope(name);
        this.end = scope.detach();
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        end.run();
    }
}
