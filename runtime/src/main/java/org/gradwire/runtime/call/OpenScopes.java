package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WaitAll;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The open scopes of threads, which collect the futures of their calls. */
public final class OpenScopes {
    private final ThreadLocal<@Nullable Scope> innermost = new ThreadLocal<>();

    private final class Scope implements WaitAll {
        private final Thread owner = Thread.currentThread();
        private final @Nullable Scope outer = innermost.get();
        private final List<RpcFuture<?>> futures = new ArrayList<>();
        private boolean open = true;

        @Override
        public void close() {
            if (!Thread.currentThread().equals(owner)) {
                throw new IllegalStateException(
                        "a waitAll scope must be closed by the thread that opened it, " + owner);
            }
            if (open) {
                open = false;
                innermost.set(outer);
                waitForAll();
            }
        }

        private void waitForAll() {
            RuntimeException first = null;
            for (RpcFuture<?> future : futures) {
                try {
                    future.join();
                } catch (RuntimeException e) {
                    first = first == null ? e : first;
                }
            }
            if (first != null) {
                throw first;
            }
        }
    }

    public WaitAll open() {
        var scope = new Scope();
        innermost.set(scope);
        return scope;
    }

    /** {@return whether this thread has an open scope} */
    boolean isAnyOpen() {
        return innermost.get() != null;
    }

    /** Add a future to the innermost scope of this thread, if any. */
    void add(RpcFuture<?> future) {
        Scope scope = innermost.get();
        if (scope != null) {
            scope.futures.add(future);
        }
    }
}
