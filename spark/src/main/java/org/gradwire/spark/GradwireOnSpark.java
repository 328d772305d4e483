package org.gradwire.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

import java.util.List;

/**
 * Runs groups of Gradwire's workers on a cluster of Spark.
 *
 * <p>A group is a barrier stage: each of its tasks starts the JVM of one worker from a distribution
 * of Gradwire on the executor's host, and ends it when the task ends by any means. Worker and
 * executor share no class path; they need not have the same JDK.
 *
 * <pre>{@code
 * List<WorkerReport> reports = GradwireOnSpark.run(spark, 4, "my.module/my.Main", "--steps=100");
 * }</pre>
 */
public final class GradwireOnSpark {
    private GradwireOnSpark() {}

    /**
     * Run a group, and wait for its end.
     *
     * @param workers number of workers, each in a separate task
     * @param program module and main class of every worker, as {@code module/main.Class}
     * @param args arguments of the program
     * @return a report for each worker, in the order of their ranks
     * @throws SparkGroupException if the group cannot run, or did not end with success
     */
    public static List<WorkerReport> run(
            SparkSession spark, int workers, String program, String... args) {
        return group(spark, workers, program).args(List.of(args)).run().workers();
    }

    /**
     * Run a group with data: each worker gets an equal share of the rows of a data frame, and
     * returns rows.
     *
     * @param data distributed evenly, in no order
     * @param results columns of the returned rows
     * @param workers number of workers, each in a separate task
     * @param program module and main class of every worker, as {@code module/main.Class}
     * @param args arguments of the program
     * @throws SparkGroupException if the group cannot run, or did not end with success
     * @see SparkGroup#PARTITION_FILE
     * @see SparkGroup#RESULT_FILE
     */
    public static GroupResult run(
            Dataset<Row> data, StructType results, int workers, String program, String... args) {
        return group(data.sparkSession(), workers, program)
                .args(List.of(args))
                .data(data)
                .results(results)
                .run();
    }

    /**
     * {@return a group to which options can be added before it runs}
     *
     * @param workers number of workers, each in a separate task
     * @param program module and main class of every worker, as {@code module/main.Class}
     */
    public static SparkGroup group(SparkSession spark, int workers, String program) {
        return new SparkGroup(spark, workers, program);
    }
}
