package org.gradwire.examples.train;

import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.GraphView;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.examples.elastic.Losses;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** The first trainer's report: progress, and at the end a text sample and charts. */
final class Report implements AutoCloseable {
    private static final int EVALUATION_BATCHES = 20;
    private static final int SAMPLE_LENGTH = 400;
    private static final String SECONDS = "seconds";

    private final Job job;
    private final Options options;
    private final Corpus corpus;
    private final Shape shape;
    private final LanguageModel model;
    private @Nullable Progress progress;
    private final Losses losses = new Losses();
    private double earlierSeconds; // of the training before this attempt
    private final long startNanos = System.nanoTime();
    private long tokensPerStep;

    Report(Job job, LanguageModel model) {
        this.job = job;
        this.options = job.options();
        this.corpus = job.corpus();
        this.shape = job.shape();
        this.model = model;
    }

    /** {@return the losses, and the time of the training so far, without what was lost} */
    Map<String, Stateful> states() {
        return Map.of(
                "report",
                losses,
                "time",
                Stateful.of(
                        () -> Map.of(SECONDS, Tensor.scalar(DType.FLOAT64, seconds())),
                        state -> state.values().forEach(saved -> earlierSeconds = saved.item())));
    }

    /** Print who trains, and from which step if it is not the first one. */
    void begin(TrainerRounds rounds) {
        Roles roles = rounds.roles();
        tokensPerStep = (long) options.batch() * roles.trainers().size();
        String names =
                "%d trainers, embedding on %s, output layers on %s"
                        .formatted(
                                roles.trainers().size(),
                                roles.embeddingServer(),
                                roles.headServer());
        if (losses.size() > 0) {
            System.out.printf(
                    "view %d: training continues from step %d, with %s%n",
                    rounds.view().number(), losses.size() + 1, names);
        } else {
            createFolder();
            System.out.printf(
                    "%d characters, %d different; %s%n",
                    corpus.tokens().length, corpus.vocabulary().length, names);
        }
    }

    private void createFolder() {
        try {
            Files.createDirectories(options.output());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the folder for the charts", e);
        }
    }

    /** Record a step, after its gradients are computed and before the parameters change. */
    void onStep(long number, AutogradContext context, Batch batch, Tensor loss) {
        if (number == 1) {
            GradientCheck.print(job.rpc(), model, corpus, shape, options.seed(), context, batch);
            draw(GraphView.of(job.rpc(), context, loss));
        }
        if (progress == null) {
            progress = new Progress(options.steps(), losses.size(), tokensPerStep);
        }
        losses.add(loss.item());
        progress.step(loss.item());
    }

    /** {@return whether there are more steps to do} */
    boolean wantsMore() {
        return losses.size() < options.steps() && seconds() < options.time().toSeconds();
    }

    private double seconds() {
        return earlierSeconds + (System.nanoTime() - startNanos) / 1e9;
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
    void finish() {
        close();
        double heldOut = heldOutLoss();
        String text =
                new Writer(model, corpus, shape)
                        .write(SAMPLE_LENGTH, new SplittableRandom(options.seed()));
        double entropy = corpus.unigramEntropy();
        System.out.printf(
                "loss on text held out: %.3f nats a character; unigram entropy: %.3f (%s)%n",
                heldOut,
                entropy,
                heldOut < entropy
                        ? "the model knows more than frequencies"
                        : "nothing was learned");
        System.out.printf("what it writes:%n%s%n", text);
        drawLosses(entropy);
        System.out.printf(
                "pictures: %s, %s, %s%n", file("loss.svg"), file("graph.svg"), file("graph.dot"));
    }

    private void drawLosses(double entropy) {
        try {
            LossCurve.save(losses.all(), entropy, file("loss.svg"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the loss curve", e);
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
