package org.gradwire.examples.train;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar with the loss and the speed. Lines end in a carriage return, which the launcher
 * and terminals show in one place.
 */
final class Progress implements AutoCloseable {
    private static final double SMOOTHING = 0.98;

    private final ProgressBar bar;
    private final long tokensPerStep;
    private final long startNanos = System.nanoTime();
    private long steps;
    private double smoothed = Double.NaN;

    Progress(int steps, long tokensPerStep) {
        this.tokensPerStep = tokensPerStep;
        this.bar =
                new ProgressBarBuilder()
                        .setTaskName("train")
                        .setInitialMax(steps)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(250)
                        .setConsumer(new CarriageReturns())
                        .build();
    }

    void step(double loss) {
        steps++;
        smoothed = Double.isNaN(smoothed) ? loss : SMOOTHING * smoothed + (1 - SMOOTHING) * loss;
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        bar.setExtraMessage(
                " loss %.3f, %,d tokens/s"
                        .formatted(smoothed, Math.round(steps * tokensPerStep / seconds)));
        bar.step();
    }

    @Override
    public void close() {
        bar.close();
    }

    /** Writes the bar so that each state of it replaces the one before. */
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
