package org.gradwire.runtime;

import org.gradwire.rpc.RpcScope;

/** A scope of the thread that makes it. */
final class ThreadScope implements RpcScope {
    private final Thread owner = Thread.currentThread();
    private final Runnable end;
    private boolean open = true;

    ThreadScope(Runnable end) {
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
