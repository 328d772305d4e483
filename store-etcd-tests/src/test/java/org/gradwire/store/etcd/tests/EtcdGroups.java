package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.store.etcd.tests.functions.Sums;

/** Workers of groups that meet in etcd and call each other over {@code inproc}. */
final class EtcdGroups {
    private EtcdGroups() {}

    static Rpc member(String address, int rank, int worldSize) {
        return Rpc.init(options(rank, address).worldSize(worldSize).build());
    }

    static Rpc dynamicMember(String address, int id) {
        return Rpc.init(options(id, address).dynamicGroup().build());
    }

    private static RpcOptions.Builder options(int rank, String address) {
        return RpcOptions.builder()
                .rank(rank)
                .name("worker" + rank)
                .backend("inproc")
                .rendezvous(address)
                .set("gradwire.etcd.time-to-live", "2s")
                .set("gradwire.etcd.request-timeout", "1s");
    }

    /** Call a function on another worker. */
    static void call(Rpc rpc, int worker) {
        assertEquals(5L, rpc.rpcSync("worker" + worker, Sums::add, 2L, 3L));
    }
}
