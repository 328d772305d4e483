package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcScope;
import org.gradwire.runtime.thread.ThreadScope;
import org.jspecify.annotations.Nullable;

/** The scopes in which a thread may write references into bytes. They nest. */
public final class SavingScopes {
    private final ThreadLocal<@Nullable Integer> depth = new ThreadLocal<>();

    /** Open a scope of this thread. */
    public RpcScope open() {
        Integer outer = depth.get();
        depth.set(outer == null ? 1 : outer + 1);
        return new ThreadScope(this::close);
    }

    private void close() {
        Integer open = depth.get();
        if (open == null || open == 1) {
            depth.remove();
        } else {
            depth.set(open - 1);
        }
    }

    /** {@return whether this thread has a scope open} */
    public boolean isOpen() {
        return depth.get() != null;
    }
}
