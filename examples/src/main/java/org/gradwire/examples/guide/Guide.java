package org.gradwire.examples.guide;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;

/** {@code ./gradwire run guide}: runs the code of the guide's pages in order. */
public final class Guide {

    private Guide() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                run(rpc);
            }
        }
    }

    static void run(Rpc rpc) throws IOException, InterruptedException {
        FirstCall.run(rpc);
        Concurrency.run(rpc);
        References.run(rpc);
        SeveralWorkers.run(rpc);
        Streaming.run(rpc);
        Tensors.run(rpc);
        Gradients.run(rpc);
        Training.run(rpc);
        Pipeline.run(rpc);
        Failures.run(rpc);
        DataParallel.run(rpc);
        Checkpoints.run(rpc);
    }
}
