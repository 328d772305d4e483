package org.gradwire.fuzz;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two workers in this JVM over {@link TappedBackend}: an attacker, and one that serves it. */
record Group(Rpc attacker, Rpc victim) {
    static final String ATTACKER = "worker0";
    static final String VICTIM = "worker1";

    static Group start() {
        List<Future<Rpc>> starting = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int rank = 0; rank < 2; rank++) {
                RpcOptions options = options(rank);
                starting.add(threads.submit(() -> Rpc.init(options)));
            }
            return new Group(starting.get(0).get(), starting.get(1).get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("the group did not start", e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the group started", e);
        }
    }

    private static RpcOptions options(int rank) {
        return RpcOptions.builder("worker" + rank)
                .rank(rank)
                .worldSize(2)
                .backend(TappedBackend.NAME)
                .rendezvous("inproc://fuzz")
                .set("gradwire.fail-on-rref-leak", "false") // broken messages leave references
                .build();
    }
}
