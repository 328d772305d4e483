package org.gradwire.runtime.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Numbers;

import java.util.Map;
import java.util.concurrent.Callable;

/** Program of {@link AuthorizerServiceTest}: prints how calls of worker 0 end, a line each. */
public final class AuthorizedWorkers {
    private static final String NUMBERS = Numbers.class.getName();

    private AuthorizedWorkers() {}

    /** Run two groups of two workers, one without a policy and one with it. */
    public static void main(String[] args) throws Exception {
        InprocGroup.runFirst(2, rpc -> IO.println("alone: " + calls(rpc)));
        InprocGroup.runFirst(
                2,
                Map.of("gradwire.allow", "worker0: %1$s.square, %1$s.echo".formatted(NUMBERS)),
                rpc -> IO.println("with a policy: " + calls(rpc)));
    }

    private static String calls(Rpc rpc) {
        return "add=%s square=%s echo=%s failing=%s own=%s"
                .formatted(
                        end(() -> rpc.rpcSync("worker1", Numbers::add, 1, 2)),
                        end(() -> rpc.rpcSync("worker1", Numbers::square, 3)),
                        end(() -> rpc.rpcSync("worker1", Numbers::echo, "text")),
                        end(() -> rpc.rpcSync("worker1", Numbers::zero)),
                        end(() -> rpc.rpcSync("worker0", Numbers::square, 4)));
    }

    private static String end(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (RpcException e) {
            return e.kind().name();
        } catch (Exception e) {
            return e.toString();
        }
    }
}
