package org.gradwire.examples.parameterserver;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The last snapshot of the training in the memory of each server. */
public final class SnapshotKeeper {
    private volatile @Nullable Snapshot last;

    private SnapshotKeeper() {}

    private static SnapshotKeeper here() {
        return Rpc.current().locals().get(SnapshotKeeper.class, SnapshotKeeper::new);
    }

    /** Keep a snapshot instead of the last one. */
    @RemoteCallable
    public static void keep(Snapshot snapshot) {
        here().last = snapshot;
    }

    /** Return the last snapshot; empty if there is none. */
    @RemoteCallable
    public static List<Snapshot> last() {
        Snapshot last = here().last;
        return last == null ? List.of() : List.of(last);
    }

    /** Send a snapshot to all servers. */
    static void keepOn(Rpc rpc, List<String> servers, Snapshot snapshot) {
        List<RpcFuture<@Nullable Void>> sent =
                servers.stream()
                        .map(server -> rpc.runAsync(server, SnapshotKeeper::keep, snapshot))
                        .toList();
        sent.forEach(RpcFuture::join);
    }

    /** {@return the newest snapshot that a server has} */
    static Optional<Snapshot> newest(Rpc rpc, List<String> servers) {
        return servers.stream()
                .flatMap(server -> rpc.rpcSync(server, SnapshotKeeper::last).stream())
                .max(Comparator.comparingInt(Snapshot::step));
    }
}
