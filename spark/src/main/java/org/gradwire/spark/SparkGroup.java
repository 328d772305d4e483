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
import java.util.regex.Pattern;

/**
 * A group of workers to run on Spark, with its options. Each of its methods but {@link #run} sets
 * an option and returns this object. Not for several threads.
 */
public final class SparkGroup {
    /**
     * The environment variable of a worker that names the file with its rows, in Arrow's IPC file
     * format. Only with {@link #data}.
     */
    public static final String PARTITION_FILE = "SPARK_PARTITION_FILE";

    /**
     * The environment variable of a worker that names the file to which it may write rows, in
     * Arrow's IPC file format. Without that file the worker returns no rows. Only with {@link
     * #results}.
     */
    public static final String RESULT_FILE = "SPARK_RESULT_FILE";

    private static final String NAME =
            "[\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*";
    private static final Pattern PROGRAM = Pattern.compile(NAME + "/" + NAME);
    private static final int MAX_WORKERS = Short.MAX_VALUE;

    private final SparkSession spark;
    private final int workers;
    private final String program;
    private List<String> args = List.of();
    private List<String> jvmArgs = List.of();
    private List<String> modulePath = List.of();
    private Map<String, String> environment = Map.of();
    private @Nullable String home;
    private Duration grace = Duration.ofSeconds(10);
    private @Nullable Dataset<Row> data;
    private @Nullable StructType results;
    private int attempts = 1;

    SparkGroup(SparkSession spark, int workers, String program) {
        if (workers < 1 || workers > MAX_WORKERS) {
            throw wrong(
                    "the number of workers is %d, expected 1 to %d"
                            .formatted(workers, MAX_WORKERS));
        }
        if (!PROGRAM.matcher(program).matches()) {
            throw wrong(
                    "the program is '%s', expected module/main.Class, such as my.module/my.Main"
                            .formatted(program));
        }
        this.spark = spark;
        this.workers = workers;
        this.program = program;
    }

    private static SparkGroupException wrong(String text) {
        return new SparkGroupException(Reason.OPTION, text);
    }

    /** Set the arguments of the program. */
    public SparkGroup args(List<String> arguments) {
        args = List.copyOf(arguments);
        return this;
    }

    /** Set the arguments of each worker's JVM. */
    public SparkGroup jvmArgs(List<String> arguments) {
        jvmArgs = List.copyOf(arguments);
        return this;
    }

    /**
     * Set the jars and folders of the program's modules.
     *
     * @param path on every executor's host; what is relative is in the folder of Spark's files and
     *     archives
     */
    public SparkGroup modulePath(List<String> path) {
        modulePath = List.copyOf(path);
        return this;
    }

    /** Set environment variables of each worker, in addition to those of the executor. */
    public SparkGroup environment(Map<String, String> variables) {
        environment = Map.copyOf(variables);
        return this;
    }

    /**
     * Set the distribution of Gradwire; by default that of {@code GRADWIRE_HOME}.
     *
     * @param folder on every executor's host; if it is relative, in the folder of Spark's files and
     *     archives
     */
    public SparkGroup home(String folder) {
        home = folder;
        return this;
    }

    /** Set the time from SIGTERM to SIGKILL of a worker, of 10 seconds by default. */
    public SparkGroup grace(Duration time) {
        if (time.isNegative()) {
            throw wrong("the grace period is %s, expected 0 or more".formatted(time));
        }
        grace = time;
        return this;
    }

    /**
     * Give the workers the rows of a data frame.
     *
     * @param rows distributed evenly, in no order
     */
    public SparkGroup data(Dataset<Row> rows) {
        data = rows;
        return this;
    }

    /** Set the columns of the rows that workers return. */
    public SparkGroup results(StructType columns) {
        results = columns;
        return this;
    }

    /**
     * Run the group again, as a whole, when a worker has failed or an executor was lost.
     *
     * <p>Spark itself repeats no barrier stage that returns results, unless rows for the workers
     * were lost. Each attempt has a new rendezvous and a new secret; a program continues from its
     * stored state.
     *
     * @param most number of attempts, from 1, which is the default
     */
    public SparkGroup attempts(int most) {
        if (most < 1) {
            throw wrong("the number of attempts is %d, expected 1 or more".formatted(most));
        }
        attempts = most;
        return this;
    }

    /**
     * Run the group and wait for its end. An interrupt ends it.
     *
     * @throws SparkGroupException if the group cannot run, or the last attempt did not end with
     *     success
     */
    public GroupResult run() {
        GroupPlan plan = plan();
        Requirements.check(spark.sparkContext(), workers);
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

    private GroupPlan plan() {
        Dataset<Row> rows = data;
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                environment,
                home,
                grace,
                rows == null ? null : rows.schema(),
                results);
    }

    private static boolean isTransient(Reason reason) {
        return reason == Reason.WORKER_FAILED || reason == Reason.EXECUTOR_LOST;
    }
}
