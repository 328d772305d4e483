package org.gradwire.conformance.processes;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.List;

/**
 * Program of a worker that exchanges {@link Secrets} with all others. Reads commands and answers
 * each with a line: {@code exchange SEED} calls each other worker with a small and a large tensor,
 * {@code leave} shuts down gracefully.
 */
public final class SecretWorker {
    private final Rpc rpc;

    private SecretWorker(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new SecretWorker(rpc)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "exchange" -> exchange(new Secrets(Long.parseLong(words[1])));
            case "leave" -> {
                rpc.shutdown();
                yield "done";
            }
            default -> throw CommandLoop.unknown(words);
        };
    }

    /** {@return whether each tensor has returned as it was sent} */
    private String exchange(Secrets secrets) {
        boolean equal = true;
        for (WorkerInfo other : rpc.workers()) {
            for (Tensor tensor : List.of(secrets.small(), secrets.large())) {
                if (!other.equals(rpc.self())) {
                    Tensor returned =
                            rpc.rpcSync(
                                    other.name(),
                                    SecretFunctions::returnTheTensorOfThisUnmistakableText,
                                    secrets.text(),
                                    tensor);
                    equal &= tensor.equal(returned);
                }
            }
        }
        return "equal=" + equal;
    }
}
