package org.gradwire.examples.guide;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;

/** {@code ./gradwire run guide}: what the pages of the guide show, one after another. */
public final class Guide {

    private Guide() {}

    public static void main(String[] args) throws IOException {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                run(rpc);
            }
        }
    }

    static void run(Rpc rpc) throws IOException {
        FirstCall.run(rpc);
        References.run(rpc);
        Tensors.run(rpc);
        Gradients.run(rpc);
        Training.run(rpc);
        Pipeline.run(rpc);
        Failures.run(rpc);
    }
}
