package org.gradwire.spark;

import org.apache.spark.ExceptionFailure;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskEndReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.gradwire.spark.SparkGroupException.Reason;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The failures of a group's tasks. The exception of a job has only their texts; that of a task
 * comes with an event.
 *
 * <p>Spark calls it on one of its threads.
 */
final class JobEvents extends SparkListener implements AutoCloseable {
    private static final String TAGS = "spark.job.tags";
    private static final long PATIENCE_SECONDS = 20;

    private final SparkContext context;
    private final String tag = "gradwire-" + UUID.randomUUID();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<Integer> stages = new HashSet<>();
    private int job = -1;
    private volatile @Nullable SparkGroupException first;

    private JobEvents(SparkContext context) {
        this.context = context;
    }

    /** Listen to the events of the next job of this thread. */
    static JobEvents listen(SparkContext context) {
        var events = new JobEvents(context);
        context.addSparkListener(events);
        context.addJobTag(events.tag);
        return events;
    }

    @Override
    public void onJobStart(SparkListenerJobStart event) {
        List<String> tags = List.of(event.properties().getProperty(TAGS, "").split(","));
        if (tags.contains(tag)) {
            job = event.jobId();
            event.stageIds().foreach(stage -> stages.add((Integer) stage));
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
        if (first == null && stages.contains(event.stageId())) {
            first = failure(event.reason(), event.taskInfo());
        }
    }

    private static @Nullable SparkGroupException failure(TaskEndReason reason, TaskInfo task) {
        if (reason instanceof ExceptionFailure failure
                && failure.exception().isDefined()
                && failure.exception().get() instanceof SparkGroupException typed) {
            return typed;
        }
        if (reason instanceof ExecutorLostFailure lost) {
            return new SparkGroupException(
                    Reason.EXECUTOR_LOST,
                    "executor %s on %s was lost, and with it worker%d: %s"
                            .formatted(
                                    task.executorId(),
                                    task.host(),
                                    task.index(),
                                    lost.toErrorString()));
        }
        return null;
    }

    @Override
    public void onJobEnd(SparkListenerJobEnd event) {
        if (event.jobId() == job) {
            ended.countDown();
        }
    }

    /**
     * {@return the exception for the failure of the job, or for an interrupt, which ends the job}
     */
    SparkGroupException failure(Throwable exception) {
        boolean interrupted = exception instanceof InterruptedException;
        if (interrupted) {
            context.cancelJobsWithTag(tag);
        }
        awaitEnd(exception);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        SparkGroupException known = first;
        return known == null
                ? new SparkGroupException(
                        Reason.JOB_FAILED,
                        interrupted
                                ? "the thread was interrupted, which has ended the group"
                                : "Spark has ended the job of the group: " + exception.getMessage(),
                        exception)
                : known.inDriver(exception);
    }

    private void awaitEnd(Throwable exception) {
        try {
            // Events come later than the exception, in their order.
            boolean complete = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!complete) {
                exception.addSuppressed(
                        new IllegalStateException("Spark has not reported the end of the job"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        context.removeJobTag(tag);
        context.removeSparkListener(this);
    }
}
