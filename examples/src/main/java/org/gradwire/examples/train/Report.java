package org.gradwire.examples.train;

import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.GraphView;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The first trainer's report: progress, and at the end a text sample and charts. */
final class Report implements AutoCloseable {
    private static final int EVALUATION_BATCHES = 20;
    private static final int SAMPLE_LENGTH = 400;

    private final Rpc rpc;
    private final Options options;
    private final Corpus corpus;
    private final Shape shape;
    private final LanguageModel model;
    private @Nullable Progress progress;
    private final long tokensPerStep;
    private final long startNanos = System.nanoTime();
    private final List<Double> losses = new ArrayList<>();

    Report(Rpc rpc, Options options, Corpus corpus, Shape shape, LanguageModel model, Roles roles)
            throws IOException {
        this.rpc = rpc;
        this.options = options;
        this.corpus = corpus;
        this.shape = shape;
        this.model = model;
        Files.createDirectories(options.output());
        System.out.printf(
                "%d characters, %d different; %d trainers, embedding on %s, output layers on %s%n",
                corpus.tokens().length,
                corpus.vocabulary().length,
                roles.trainers().size(),
                roles.embeddingServer(),
                roles.headServer());
        this.tokensPerStep = (long) options.batch() * roles.trainers().size();
    }

    /** Record a step, after its gradients are computed and before the parameters change. */
    void onStep(int step, AutogradContext context, Batch batch, Tensor loss) {
        if (step == 0) {
            GradientCheck.print(rpc, model, corpus, shape, options.seed(), context, batch);
            draw(GraphView.of(rpc, context, loss));
        }
        if (progress == null) {
            progress = new Progress(options.steps(), tokensPerStep);
        }
        losses.add(loss.item());
        progress.step(loss.item());
    }

    boolean continuesAfter(int step) {
        return step + 1 < options.steps()
                && System.nanoTime() - startNanos < options.time().toNanos();
    }

    private void draw(GraphView graph) {
        try {
            Files.writeString(file("graph.dot"), graph.toDot());
            Files.writeString(file("graph.svg"), graph.toSvg());
        } catch (IOException e) {
            System.out.println("cannot write the drawing of the graph: " + e.getMessage());
        }
    }

    private Path file(String name) {
        return options.output().resolve(name);
    }

    /** Print the quality of the model and a sample of its text. */
    void finish() throws IOException {
        close();
        double heldOut = heldOutLoss();
        double entropy = corpus.unigramEntropy();
        System.out.printf(
                "loss on text held out: %.3f nats a character; unigram entropy: %.3f (%s)%n",
                heldOut,
                entropy,
                heldOut < entropy
                        ? "the model knows more than frequencies"
                        : "nothing was learned");
        System.out.printf(
                "what it writes:%n%s%n",
                new Writer(model, corpus, shape)
                        .write(SAMPLE_LENGTH, new SplittableRandom(options.seed())));
        drawLosses(entropy);
        System.out.printf(
                "pictures: %s, %s, %s%n", file("loss.svg"), file("graph.svg"), file("graph.dot"));
    }

    private void drawLosses(double entropy) throws IOException {
        try {
            LossCurve.save(losses, entropy, file("loss.svg"));
        } catch (RuntimeException | InternalError e) {
            // The exception for missing fonts depends on the JDK's build.
            System.out.printf(
                    "cannot draw the loss curve; does this machine have fontconfig and a font? (%s)%n",
                    e);
        }
    }

    private double heldOutLoss() {
        var random = new SplittableRandom(options.seed());
        double sum = 0;
        try (var _ = GradMode.noGrad()) {
            for (int i = 0; i < EVALUATION_BATCHES; i++) {
                try (var _ = TensorScope.open()) {
                    sum +=
                            model.loss(
                                            corpus.heldOutBatch(
                                                    random, shape.contextLength(), options.batch()))
                                    .item();
                }
            }
        }
        return sum / EVALUATION_BATCHES;
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
            progress = null;
        }
    }
}
