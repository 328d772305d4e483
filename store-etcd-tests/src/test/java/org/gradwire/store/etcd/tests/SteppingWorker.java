package org.gradwire.store.etcd.tests;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.store.etcd.tests.functions.Sums;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker of a dynamic group that calls itself in each step, which no cut prevents, and meanwhile
 * all members, until its standard input ends.
 *
 * <p>Prints a line for each view, each step, each reply of all members and its end, with {@link
 * System#nanoTime}, which all processes of a machine share.
 */
public final class SteppingWorker implements ElasticProgram {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Rpc rpc;
    private @Nullable RpcFuture<List<Long>> reaching; // null before the first step
    private volatile boolean isEnough;

    private SteppingWorker(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Run a worker, which reads its name and group from system properties. */
    public static void main(String[] arguments) {
        try (Rpc rpc = Rpc.init(RpcOptions.builder().dynamicGroup().build())) {
            var program = new SteppingWorker(rpc);
            Thread.ofPlatform().daemon().start(program::awaitEndOfInput);
            Elastic.on(rpc).run(program);
            say("left");
        } catch (RpcException e) {
            say("stopped " + e.getMessage());
        }
    }

    private void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // until it ends
            }
        } catch (IOException e) {
            say("input " + e);
        }
        isEnough = true;
    }

    @Override
    public void recover(GroupView view) {
        say("view " + view.names());
    }

    @Override
    public boolean step(GroupView view) {
        long start = System.nanoTime();
        check(rpc.rpcSync(rpc.self().name(), Sums::add, 2L, 3L));
        IO.println(start + " step " + view.names());
        if (reaching == null || reaching.isDone()) {
            reach(view);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return !isEnough;
    }

    /** Call all members, without waiting for them. */
    private void reach(GroupView view) {
        reaching =
                rpc.collectAll(
                        view.members().stream()
                                .map(member -> rpc.rpcAsync(member.name(), Sums::add, 2L, 3L))
                                .toList());
        reaching.onDone(sums -> {
            try {
                sums.join().forEach(SteppingWorker::check);
                say("reached " + view.names());
            } catch (RpcException e) {
                say("unreached " + e.getMessage());
            }
        });
    }

    private static void check(long sum) {
        if (sum != 5) {
            throw new IllegalStateException("a wrong sum: " + sum);
        }
    }

    private static void say(String text) {
        IO.println(System.nanoTime() + " " + text);
    }
}
