package org.gradwire.conformance.processes;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Program of a worker in a group whose worker 1 permits one function, to worker 0. Reads commands
 * and answers each with a line: {@code ask} asks worker 1 for several things and prints how that
 * ended; {@code denials} prints how many requests were refused here.
 */
public final class PolicyWorker {
    private static final String GUARDED = "worker1";
    private static final String POLICY = "worker0: " + ProcessFunctions.class.getName() + ".id";

    private final Rpc rpc;

    private PolicyWorker(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        RpcOptions.Builder options = RpcOptions.builder();
        if ("1".equals(System.getenv("GRADWIRE_RANK"))) {
            options.set("gradwire.allow", POLICY);
        }
        Rpc rpc = Rpc.init(options.build());
        CommandLoop.run(rpc, new PolicyWorker(rpc)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "ask" -> ask();
            case "denials" -> String.valueOf(rpc.debugInfo().get("num_permission_denials"));
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String ask() {
        return "id=%s operator=%s fetch=%s again=%s"
                .formatted(
                        end(() -> rpc.rpcSync(GUARDED, ProcessFunctions::id)),
                        end(() -> rpc.rpcSync(GUARDED, Ops::add, Tensor.ones(1), Tensor.ones(1))),
                        end(this::fetch),
                        end(() -> rpc.rpcAsync(GUARDED, ProcessFunctions::id).join()));
    }

    private int fetch() {
        try (RRef<Integer> id = rpc.remote(GUARDED, ProcessFunctions::id)) {
            return id.toHere();
        }
    }

    private static String end(Callable<?> attempt) {
        try {
            return String.valueOf(attempt.call());
        } catch (RpcException e) {
            return e.kind().name();
        } catch (Exception e) {
            return e.toString();
        }
    }
}
