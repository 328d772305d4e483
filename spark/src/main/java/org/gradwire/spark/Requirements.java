package org.gradwire.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.gradwire.spark.SparkGroupException.Reason;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds what Spark would refuse after minutes, before the job begins. */
final class Requirements {
    private static final String DYNAMIC_ALLOCATION = "spark.dynamicAllocation.enabled";
    // The time that Spark itself gives executors to register before the first job.
    private static final String PATIENCE = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Requirements() {}

    /**
     * Require that a cluster can run a group. Waits for executors that have not registered yet.
     *
     * @throws SparkGroupException if it cannot
     */
    static void check(SparkContext context, int workers) {
        checkAllocation(context.getConf());
        checkSlots(context, workers);
    }

    private static void checkAllocation(SparkConf conf) {
        if (conf.getBoolean(DYNAMIC_ALLOCATION, false)) {
            throw new SparkGroupException(
                    Reason.DYNAMIC_ALLOCATION,
                    "%s is true, but Spark runs no barrier stage with dynamic allocation: set it to false and name the number of executors, such as spark.executor.instances"
                            .formatted(DYNAMIC_ALLOCATION));
        }
    }

    private static void checkSlots(SparkContext context, int workers) {
        long patience = context.isLocal() ? 0 : context.getConf().getTimeAsSeconds(PATIENCE, "30s");
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(patience);
        int slots = slots(context);
        while (slots < workers && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            slots = slots(context);
        }
        if (slots < workers) {
            throw new SparkGroupException(
                    Reason.TOO_FEW_SLOTS,
                    "%d workers need %d tasks at once, but the cluster runs %d: add executors or cores (spark.executor.instances, spark.executor.cores), lower spark.task.cpus, or start fewer workers%s"
                            .formatted(
                                    workers,
                                    workers,
                                    slots,
                                    patience == 0
                                            ? ""
                                            : "; waited %d s for executors (%s)"
                                                    .formatted(patience, PATIENCE)));
        }
    }

    /** {@return the number of tasks that Spark compares with that of a barrier stage} */
    private static int slots(SparkContext context) {
        return context.maxNumConcurrentTasks(
                context.resourceProfileManager().defaultResourceProfile());
    }
}
