package org.gradwire.conformance.processes;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.DistributedOptimizerException;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Program of a worker whose group's last member is killed during an optimizer step. Reads commands
 * and answers each with a line: {@code step} takes a step over a parameter on each other member,
 * {@code begun} waits until the step has begun on this worker.
 */
public final class Trainer {
    private final Rpc rpc;

    private Trainer(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new Trainer(rpc)::obey);
    }

    private String obey(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "step" -> step();
            case "begun" -> begun();
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String begun() throws InterruptedException {
        HangingDescent.Begun.of(rpc).await();
        return "here";
    }

    private String step() {
        int size = rpc.workers().size();
        List<RRef<Tensor>> parameters = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            parameters.add(rpc.remote("worker" + i, HangingDescent::parameter));
        }
        var options = new HangingDescent.Options(1, "worker" + (size - 1));
        try (var optimizer =
                        DistributedOptimizer.create(rpc, HangingDescent::new, parameters, options);
                var context = DistAutograd.context(rpc)) {
            context.backward(
                    parameters.stream()
                            .map(p -> rpc.rpcSync(p.owner().name(), HangingDescent::loss, p))
                            .reduce(Tensor::add)
                            .orElseThrow());
            optimizer.step(context);
            return "done";
        } catch (DistributedOptimizerException e) {
            return "failed=%s kind=%s done=%s values=%s"
                    .formatted(e.failures().keySet(), e.kind(), e.succeeded(), values(parameters));
        }
    }

    private List<Double> values(List<RRef<Tensor>> parameters) {
        return parameters.subList(0, parameters.size() - 1).stream()
                .map(p -> rpc.rpcSync(p.owner().name(), HangingDescent::value, p))
                .toList();
    }
}
