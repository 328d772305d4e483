package org.gradwire.runtime.thread;

import org.gradwire.rpc.RpcScope;

/** A scope that only the thread that opened it may close. */
public final class ThreadScope implements RpcScope {
    private final Thread owner = Thread.currentThread();
    private final Runnable end;
    private boolean open = true;

    public ThreadScope(Runnable end) {
        this.end = end;
    }

    @Override
    public void close() {
        if (!Thread.currentThread().equals(owner)) {
            throw new IllegalStateException(
                    "a scope must be closed by the thread that opened it, " + owner);
        }
        if (open) {
            open = false;
            end.run();
        }
    }
}
