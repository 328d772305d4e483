package org.gradwire.examples.pipeline;

import static org.gradwire.rpc.RpcFunction.async;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The trainer's view of the model: a sequence of stages on other workers. */
final class StagedModel implements AutoCloseable {
    private final Rpc rpc;
    private final List<RemoteModule<Stage>> stages = new ArrayList<>();

    /** Create the stages from the last to the first, so that each has a reference to the next. */
    StagedModel(Rpc rpc, Model model, long seed) {
        this.rpc = rpc;
        @Nullable RRef<Stage> next = null;
        for (int number = Model.STAGES - 1; number >= 0; number--) {
            String worker = rpc.worker(1 + number).name();
            RemoteModule<Stage> stage =
                    RemoteModule.create(rpc, worker, Stage::new, model, number, seed, next);
            stages.addFirst(stage);
            next = stage.moduleRRef();
        }
    }

    /** Compute the scores of a batch, in parallel micro-batches through the stages. */
    Tensor forward(Tensor batch, int microBatches) {
        List<RpcFuture<Tensor>> scores =
                batch.chunk(microBatches, 0).stream()
                        .map(part -> stages.getFirst().forwardAsync(async(Stage::forward), part))
                        .toList();
        return Ops.cat(rpc.collectAll(scores).join(), 0);
    }

    List<RRef<Tensor>> parameters() {
        return stages.stream().flatMap(stage -> stage.remoteParameters().stream()).toList();
    }

    List<Tensor> gradients(AutogradContext context) {
        return stages.stream()
                .flatMap(stage -> stage.forward(Stage::gradients, context.id()).stream())
                .toList();
    }

    @Override
    public void close() {
        stages.forEach(RemoteModule::close);
    }
}
