package org.gradwire.examples.elastic;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/** The last snapshot of a training in the memory of workers. */
public final class SnapshotKeeper {
    private volatile Snapshot last = Snapshot.NONE;

    private SnapshotKeeper() {}

    private static SnapshotKeeper here() {
        return Rpc.current().locals().get(SnapshotKeeper.class, SnapshotKeeper::new);
    }

    /** Keep a snapshot instead of the last one. */
    @RemoteCallable
    public static void keep(Snapshot snapshot) {
        here().last = snapshot;
    }

    /** Return the last snapshot; {@link Snapshot#NONE} if there is none. */
    @RemoteCallable
    public static Snapshot last() {
        return here().last;
    }

    /** Send a snapshot to workers. */
    public static void keepOn(Rpc rpc, List<String> workers, Snapshot snapshot) {
        List<RpcFuture<@Nullable Void>> sent =
                workers.stream()
                        .map(worker -> rpc.runAsync(worker, SnapshotKeeper::keep, snapshot))
                        .toList();
        sent.forEach(RpcFuture::join);
    }

    /** {@return the newest snapshot that one of the workers has} */
    public static Snapshot newest(Rpc rpc, List<String> workers) {
        List<RpcFuture<Snapshot>> found =
                workers.stream().map(worker -> rpc.rpcAsync(worker, SnapshotKeeper::last)).toList();
        return found.stream()
                .map(RpcFuture::join)
                .max(Comparator.comparingInt(Snapshot::step))
                .orElse(Snapshot.NONE);
    }
}
