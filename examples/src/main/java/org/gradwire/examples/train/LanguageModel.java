package org.gradwire.examples.train;

import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/** A trainer's view of the model, whose parts are on other workers. */
final class LanguageModel implements AutoCloseable {
    private final RemoteModule<EmbeddingBag> embedding;
    private final RemoteModule<Head> head;

    private LanguageModel(RemoteModule<EmbeddingBag> embedding, RemoteModule<Head> head) {
        this.embedding = embedding;
        this.head = head;
    }

    /** Create the parts on their servers. */
    static LanguageModel create(Rpc rpc, Roles roles, Shape shape, Corpus corpus, long seed) {
        return new LanguageModel(
                RemoteModule.create(
                        rpc,
                        roles.embeddingServer(),
                        EmbeddingBag::new,
                        shape.rows(corpus),
                        shape.embedding(),
                        "sum",
                        seed),
                RemoteModule.create(
                        rpc,
                        roles.headServer(),
                        Head::new,
                        shape.embedding(),
                        shape.hidden(),
                        corpus.vocabulary().length,
                        seed + 1));
    }

    /** Use the parts of another trainer. */
    static LanguageModel of(Rpc rpc, RRef<EmbeddingBag> embedding, RRef<Head> head) {
        return new LanguageModel(RemoteModule.of(rpc, embedding), RemoteModule.of(rpc, head));
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
        Tensor sums = embedding.forward(EmbeddingBag::forward, indices, offsets);
        return head.forward(Head::forward, sums.tanh());
    }

    Tensor loss(Batch batch) {
        return scores(batch.indices(), batch.offsets()).crossEntropy(batch.targets());
    }

    @Override
    public void close() {
        embedding.close();
        head.close();
    }
}
