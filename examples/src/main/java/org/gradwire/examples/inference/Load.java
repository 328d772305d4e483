package org.gradwire.examples.inference;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The measurements of a load of requests.
 *
 * @param scores of shape (requests, classes)
 * @param nanos time of the whole load
 * @param sortedNanos latencies of the requests, ascending
 */
record Load(Tensor scores, long nanos, long[] sortedNanos) {
    private static final int UNDER_WAY = 64;

    /** Send requests with limited concurrency, and wait for their results. */
    static Load run(Rpc rpc, Balancer balancer, List<Tensor> requests, Runnable atHalf) {
        var permits = new Semaphore(UNDER_WAY);
        long[] nanos = new long[requests.size()];
        List<RpcFuture<Tensor>> answers = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < requests.size(); i++) {
            if (i == requests.size() / 2) {
                atHalf.run();
            }
            permits.acquireUninterruptibly();
            int request = i;
            long sent = System.nanoTime();
            answers.add(
                    balancer.predict(requests.get(i))
                            .whenDone(() -> {
                                nanos[request] = System.nanoTime() - sent;
                                permits.release();
                            }));
        }
        List<Tensor> scores = rpc.collectAll(answers).join();
        long all = System.nanoTime() - start;
        Arrays.sort(nanos);
        return new Load(Ops.stack(scores, 0), all, nanos);
    }

    double perSecond() {
        return sortedNanos.length / (nanos / 1e9);
    }

    /** {@return a quantile of the latencies, in milliseconds} */
    double millis(double part) {
        return sortedNanos[(int) (part * (sortedNanos.length - 1))] / 1e6;
    }
}
