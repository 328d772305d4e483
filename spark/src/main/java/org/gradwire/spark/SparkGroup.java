package org.gradwire.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.gradwire.spark.SparkGroupException.Reason;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group of workers to run on Spark, with its options. Immutable: each {@code with} method returns
 * another group.
 */
public final class SparkGroup {
    /**
     * The environment variable of a worker that names the file with its rows, in Arrow's IPC file
     * format. Only with {@link #withData}.
     */
    public static final String PARTITION_FILE = "SPARK_PARTITION_FILE";

    /**
     * The environment variable of a worker that names the file to which it may write rows, in
     * Arrow's IPC file format. Without that file the worker returns no rows. Only with {@link
     * #withResults}.
     */
    public static final String RESULT_FILE = "SPARK_RESULT_FILE";

    private final SparkSession spark;
    private final GroupPlan plan;
    private final @Nullable Dataset<Row> data;
    private final int attempts;

    private SparkGroup(
            SparkSession spark, GroupPlan plan, @Nullable Dataset<Row> data, int attempts) {
        this.spark = spark;
        this.plan = plan;
        this.data = data;
        this.attempts = attempts;
    }

    static SparkGroup of(SparkSession spark, int workers, String program) {
        return new SparkGroup(spark, GroupPlan.of(workers, program), null, 1);
    }

    private SparkGroup with(GroupPlan changed) {
        return new SparkGroup(spark, changed, data, attempts);
    }

    /** {@return the group with arguments of the program} */
    public SparkGroup withArgs(List<String> args) {
        return with(plan.withArgs(args));
    }

    /** {@return the group with arguments of each worker's JVM} */
    public SparkGroup withJvmArgs(List<String> args) {
        return with(plan.withJvmArgs(args));
    }

    /**
     * {@return the group with jars and folders of the program's modules}
     *
     * @param path on every executor's host; what is relative is in the folder of Spark's files and
     *     archives
     */
    public SparkGroup withModulePath(List<String> path) {
        return with(plan.withModulePath(path));
    }

    /** {@return the group with more environment variables of each worker} */
    public SparkGroup withEnvironment(Map<String, String> variables) {
        return with(plan.withEnvironment(variables));
    }

    /**
     * {@return the group with another distribution of Gradwire than that which {@code
     * GRADWIRE_HOME} names}
     *
     * @param folder on every executor's host; if it is relative, in the folder of Spark's files and
     *     archives
     */
    public SparkGroup withHome(String folder) {
        return with(plan.withHome(folder));
    }

    /**
     * {@return the group with another time from SIGTERM to SIGKILL of a worker, of 10 seconds by
     * default}
     */
    public SparkGroup withGrace(Duration grace) {
        if (grace.isNegative()) {
            throw new SparkGroupException(
                    Reason.OPTION, "the grace period is %s, expected 0 or more".formatted(grace));
        }
        return with(plan.withGrace(grace));
    }

    /**
     * {@return the group whose workers get the rows of a data frame}
     *
     * @param rows distributed evenly, in no order
     */
    public SparkGroup withData(Dataset<Row> rows) {
        return new SparkGroup(spark, plan.withDataSchema(rows.schema()), rows, attempts);
    }

    /** {@return the group whose workers return rows with these columns} */
    public SparkGroup withResults(StructType columns) {
        return with(plan.withResultSchema(columns));
    }

    /**
     * {@return the group that runs again, as a whole, when a worker has failed or an executor was
     * lost}
     *
     * <p>Spark itself never repeats a barrier stage that returns results. Each attempt has a new
     * rendezvous and a new secret; a program continues from what it has stored.
     *
     * @param most number of attempts, from 1, which is the default
     */
    public SparkGroup withAttempts(int most) {
        if (most < 1) {
            throw new SparkGroupException(
                    Reason.OPTION,
                    "the number of attempts is %d, expected 1 or more".formatted(most));
        }
        return new SparkGroup(spark, plan, data, most);
    }

    /**
     * Run the group and wait for its end. An interrupt does not end the wait; cancel Spark's job
     * instead, by its group or tag.
     *
     * @throws SparkGroupException if the group cannot run, or the last attempt did not end with
     *     success
     */
    public GroupResult run() {
        Requirements.check(spark.sparkContext(), plan.workers());
        int attempt = 1;
        while (true) {
            try {
                return GroupJob.run(spark, plan, Optional.ofNullable(data), attempt);
            } catch (SparkGroupException e) {
                if (attempt == attempts || !isTransient(e.reason())) {
                    throw e;
                }
                attempt++;
            }
        }
    }

    private static boolean isTransient(Reason reason) {
        return reason == Reason.WORKER_FAILED || reason == Reason.EXECUTOR_LOST;
    }
}
