package org.gradwire.bench.cold;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Random;

/**
 * One of two fresh workers. The first calls the second, and then runs distributed backward passes
 * through it; both end when their input does.
 */
public final class ColdWorker {

    private ColdWorker() {}

    /**
     * Join the group.
     *
     * @param args directory of the driver, rank, rendezvous
     */
    public static void main(String[] args) throws Exception {
        int rank = Integer.parseInt(args[1]);
        RpcOptions options =
                RpcOptions.builder("worker" + rank)
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous(args[2])
                        .set("gradwire.tensorpipe.directory", args[0])
                        .build();
        try (Rpc rpc = Rpc.init(options)) {
            if (rank == 0) {
                measure(rpc, rpc.worker(1).name());
            }
            awaitEndOfInput();
        }
    }

    private static void awaitEndOfInput() throws IOException {
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    private static void measure(Rpc rpc, String peer) throws Exception {
        Tensor t = Tensor.ones(2, 2);
        ColdSequence.print(System.out, ColdSequence.CALLS, () -> rpc.rpcSync(peer, Ops::add, t, t));
        var random = new Random(1);
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        ColdSequence.print(System.out, ColdSequence.PASSES, () -> pass(rpc, peer, a, b));
    }

    private static Map<Tensor, Tensor> pass(Rpc rpc, String peer, Tensor a, Tensor b) {
        try (var context = DistAutograd.context(rpc)) {
            context.backward(rpc.rpcSync(peer, Ops::matmul, a, b).sum());
            return context.gradients();
        }
    }
}
