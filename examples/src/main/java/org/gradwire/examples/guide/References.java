package org.gradwire.examples.guide;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Page 2: remote references. */
final class References {

    private References() {}

    static void run(Rpc rpc) {
        share(rpc);
        chain(rpc);
    }

    private static void share(Rpc rpc) {
        try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 5)) {
            counter.rpcSync(Counter::add, 1); // runs on worker1
            rpc.runSync("worker2", Counter::addTen, counter); // and so does what worker2 calls
            IO.println(
                    "the counter on "
                            + counter.owner().name()
                            + ": "
                            + counter.rpcSync(Counter::add, 0));
        }
    }

    private static void chain(Rpc rpc) {
        try (RRef<Tensor> ones = rpc.remote("worker1", Ops::add, Tensor.zeros(2, 2), 1);
                RRef<Tensor> product = ones.remote(Ops::matmul, Tensor.ones(2, 2))) {
            IO.println("fetched from " + product.owner().name() + ": " + product.toHere());
        }
    }
}
