package org.gradwire.examples.train;

import org.gradwire.checkpoint.Stateful;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A trainer's view of the model, whose parts are on other workers. */
final class LanguageModel implements AutoCloseable {
    private final RemoteModule<EmbeddingBag> embedding;
    private final RemoteModule<Head> head;

    private final Device device;

    private LanguageModel(
            RemoteModule<EmbeddingBag> embedding, RemoteModule<Head> head, Device device) {
        this.embedding = embedding;
        this.head = head;
        this.device = device;
    }

    /** Create the parts on their servers. */
    static LanguageModel create(Job job, Roles roles) {
        Options options = job.options();
        Shape shape = job.shape();
        return new LanguageModel(
                RemoteModule.create(
                        job.rpc(),
                        roles.embeddingServer() + "/" + options.device(),
                        EmbeddingBag::new,
                        shape.rows(job.corpus()),
                        shape.embedding(),
                        "sum",
                        options.seed()),
                RemoteModule.create(
                        job.rpc(),
                        roles.headServer() + "/" + options.device(),
                        Head::new,
                        shape.embedding(),
                        shape.hidden(),
                        job.corpus().vocabulary().length,
                        options.seed() + 1),
                options.device());
    }

    /** Use the parts of another trainer. */
    static LanguageModel of(Job job, ModelParts parts) {
        RRef<EmbeddingBag> embedding = parts.embedding();
        RRef<Head> head = parts.head();
        Device device = job.options().device();
        return new LanguageModel(
                RemoteModule.initFromModuleRRef(
                        job.rpc(), embedding.owner().name() + "/" + device, embedding),
                RemoteModule.initFromModuleRRef(
                        job.rpc(), head.owner().name() + "/" + device, head),
                device);
    }

    /** {@return the parts, for another trainer} */
    ModelParts parts() {
        return new ModelParts(embedding.moduleRRef(), head.moduleRRef());
    }

    /** {@return the states of the parts by name} */
    Map<String, Stateful> states() {
        return Map.of("embedding", Stateful.of(embedding), "head", Stateful.of(head));
    }

    RRef<EmbeddingBag> embeddingRRef() {
        return embedding.moduleRRef();
    }

    RRef<Head> headRRef() {
        return head.moduleRRef();
    }

    List<RRef<Tensor>> remoteParameters() {
        List<RRef<Tensor>> all = new ArrayList<>(embedding.remoteParameters());
        all.addAll(head.remoteParameters());
        return all;
    }

    /** Compute the scores of the next character of each context. */
    Tensor scores(Tensor indices, Tensor offsets) {
        Tensor sums =
                embedding.forward(EmbeddingBag::forward, indices.to(device), offsets.to(device));
        return head.forward(Head::forward, sums.tanh());
    }

    Tensor loss(Batch batch) {
        return scores(batch.indices(), batch.offsets()).crossEntropy(batch.targets().to(device));
    }

    @Override
    public void close() {
        embedding.close();
        head.close();
    }
}
