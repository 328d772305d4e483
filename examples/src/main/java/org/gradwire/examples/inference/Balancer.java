package org.gradwire.examples.inference;

import static org.gradwire.rpc.RpcFunction.async;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sends each request to the replica with the fewest in flight. A request to a lost replica is sent
 * again to another one.
 */
final class Balancer {
    private final Rpc rpc;
    private final List<Target> targets = new ArrayList<>(); // not lost
    private int sentAgain;

    private static final class Target {
        private final RRef<Replica> replica;
        private int inFlight;

        Target(RRef<Replica> replica) {
            this.replica = replica;
        }
    }

    Balancer(Rpc rpc, List<RRef<Replica>> replicas) {
        this.rpc = rpc;
        replicas.forEach(replica -> targets.add(new Target(replica)));
    }

    RpcFuture<Tensor> predict(Tensor features) {
        RpcPromise<Tensor> answer = rpc.promise();
        send(features, answer);
        return answer;
    }

    private void send(Tensor features, RpcPromise<Tensor> answer) {
        try {
            Target target = take();
            call(target, features).onDone(done -> finish(target, features, done, answer));
        } catch (IllegalStateException e) {
            answer.fail(e);
        }
    }

    /**
     * {@return a future that also fails, instead of a throw, when the replica is known to be lost}
     */
    private RpcFuture<Tensor> call(Target target, Tensor features) {
        try {
            return target.replica.rpcAsync(async(Replica::predict), features);
        } catch (RpcException e) {
            RpcPromise<Tensor> failed = rpc.promise();
            failed.fail(e);
            return failed;
        }
    }

    private void finish(
            Target target, Tensor features, RpcFuture<Tensor> done, RpcPromise<Tensor> answer) {
        release(target);
        try {
            answer.complete(done.value());
        } catch (RemoteException e) {
            answer.fail(e); // the model has failed, and would again
        } catch (RpcException _) {
            drop(target);
            send(features, answer);
        }
    }

    private synchronized Target take() {
        Target target =
                targets.stream()
                        .min(Comparator.comparingInt(candidate -> candidate.inFlight))
                        .orElseThrow(() -> new IllegalStateException("all replicas are lost"));
        target.inFlight++;
        return target;
    }

    private synchronized void release(Target target) {
        target.inFlight--;
    }

    private synchronized void drop(Target target) {
        targets.remove(target);
        sentAgain++;
    }

    /** {@return the number of requests sent again} */
    synchronized int sentAgain() {
        return sentAgain;
    }

    /** {@return the number of replicas that are not lost} */
    synchronized int living() {
        return targets.size();
    }
}
