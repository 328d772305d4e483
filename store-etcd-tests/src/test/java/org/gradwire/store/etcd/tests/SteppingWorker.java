package org.gradwire.store.etcd.tests;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.store.etcd.tests.functions.Sums;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker of a dynamic group that calls all members in each step, until its standard input ends.
 *
 * <p>Prints a line for each view, each step and its end, with {@link System#nanoTime}, which all
 * processes of a machine share.
 */
public final class SteppingWorker implements ElasticProgram {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Rpc rpc;
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
        for (WorkerInfo member : view.members()) {
            if (rpc.rpcSync(member.name(), Sums::add, 2L, 3L) != 5L) {
                throw new IllegalStateException("a wrong sum");
            }
        }
        IO.println(start + " step " + view.names());
        LockSupport.parkNanos(PAUSE_NANOS);
        return !isEnough;
    }

    private static void say(String text) {
        IO.println(System.nanoTime() + " " + text);
    }
}
