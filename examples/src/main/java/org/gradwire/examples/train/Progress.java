package org.gradwire.examples.train;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressState;

import java.time.Duration;

/**
 * A progress line: the loss and the speed, then a bar, which a narrow terminal truncates. Lines end
 * with a carriage return, so that the launcher and terminals overwrite them.
 */
final class Progress implements AutoCloseable {
    private static final double SMOOTHING = 0.98;
    private static final int BAR = 10;

    private final ProgressBar bar;
    private final long tokensPerStep;
    private final long startNanos = System.nanoTime();
    private long steps;
    private double smoothed = Double.NaN;

    Progress(int steps, int done, long tokensPerStep) {
        this.tokensPerStep = tokensPerStep;
        this.bar =
                new ProgressBarBuilder()
                        .setInitialMax(steps)
                        .startsFrom(done, Duration.ZERO)
                        .setRenderer(Progress::render)
                        .setUpdateIntervalMillis(250)
                        .setConsumer(new CarriageReturns())
                        .build();
    }

    void step(double loss) {
        steps++;
        smoothed = Double.isNaN(smoothed) ? loss : SMOOTHING * smoothed + (1 - SMOOTHING) * loss;
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        bar.setExtraMessage(
                "loss %.3f, %,d tokens/s"
                        .formatted(smoothed, Math.round(steps * tokensPerStep / seconds)));
        bar.step();
    }

    private static String render(ProgressState state, int mostCharacters) {
        long done = Math.round(state.getNormalizedProgress() * BAR);
        var elapsed = state.getTotalElapsed();
        String text =
                "%s  step %d of %d [%s%s] %d:%02d"
                        .formatted(
                                state.getExtraMessage(),
                                state.getCurrent(),
                                state.getMax(),
                                "=".repeat((int) done),
                                " ".repeat(BAR - (int) done),
                                elapsed.toMinutes(),
                                elapsed.toSecondsPart());
        return text.substring(0, Math.min(text.length(), mostCharacters));
    }

    @Override
    public void close() {
        bar.close();
    }

    /** Writes the bar so that each state replaces the previous one. */
    private static final class CarriageReturns implements ProgressBarConsumer {
        private static final int WIDTH = 110;

        @Override
        public int getMaxRenderedLength() {
            return WIDTH;
        }

        @Override
        public void accept(String rendered) {
            System.out.print(rendered + "\r");
            System.out.flush();
        }

        @Override
        public void close() {
            System.out.println();
        }
    }
}
