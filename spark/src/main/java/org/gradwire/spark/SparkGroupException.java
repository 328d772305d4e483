package org.gradwire.spark;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A group cannot run on Spark, or did not end with success. */
public final class SparkGroupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final @Nullable WorkerReport report;

    /** Why a group failed. */
    public enum Reason {
        /** An option of the group has a wrong value. */
        OPTION,
        /** Dynamic allocation is on, with which Spark runs no barrier stage. */
        DYNAMIC_ALLOCATION,
        /** The cluster cannot run as many tasks at once as the group has workers. */
        TOO_FEW_SLOTS,
        /** An executor has no distribution of Gradwire where the group looks for it. */
        NO_DISTRIBUTION,
        /** An executor has no JDK that is new enough for workers. */
        NO_JDK,
        /** A worker ended with an exit code other than 0. */
        WORKER_FAILED,
        /** An executor was lost, and its workers with it. */
        EXECUTOR_LOST,
        /** A worker's rows cannot be read, or have other columns than the group was to return. */
        RESULTS,
        /** Spark ended the job for another reason, for example since it was cancelled. */
        JOB_FAILED
    }

    SparkGroupException(Reason reason, String message) {
        this(reason, message, null, null);
    }

    SparkGroupException(Reason reason, String message, @Nullable Throwable cause) {
        this(reason, message, null, cause);
    }

    SparkGroupException(
            Reason reason,
            String message,
            @Nullable WorkerReport report,
            @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.report = report;
    }

    /** {@return the exception of a worker that ended with an exit code other than 0} */
    static SparkGroupException failed(WorkerReport report) {
        String output =
                report.lastLines().isEmpty()
                        ? "; it has printed nothing"
                        : "; its last lines:\n  " + String.join("\n  ", report.lastLines());
        return new SparkGroupException(
                Reason.WORKER_FAILED,
                "worker%d on %s failed: exit code %d%s"
                        .formatted(report.rank(), report.host(), report.exitCode(), output),
                report,
                null);
    }

    /** {@return this exception as the driver throws it, with that of Spark's job} */
    SparkGroupException inDriver(Throwable job) {
        return new SparkGroupException(reason, String.valueOf(getMessage()), report, job);
    }

    /** {@return why the group failed} */
    public Reason reason() {
        return reason;
    }

    /** {@return the worker that failed first; empty if the group failed for another reason} */
    public Optional<WorkerReport> report() {
        return Optional.ofNullable(report);
    }
}
