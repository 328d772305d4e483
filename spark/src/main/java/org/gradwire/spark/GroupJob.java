package org.gradwire.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The job of Spark that runs a group once. */
final class GroupJob {
    private GroupJob() {}

    /** Run a group; {@return its result} */
    static GroupResult run(
            SparkSession spark, GroupPlan plan, Optional<Dataset<Row>> data, int attempt) {
        List<TaskResult> results =
                data.isPresent()
                        ? collect(spark, rows(data.get(), plan), InternalRow.class, plan)
                        : collect(spark, numbers(spark, plan), Integer.class, plan);
        return result(spark, plan, results, attempt);
    }

    private static RDD<Integer> numbers(SparkSession spark, GroupPlan plan) {
        List<Integer> ranks = IntStream.range(0, plan.workers()).boxed().toList();
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(ranks, plan.workers())
                .rdd();
    }

    // The shuffle also ends the stage that computes the rows: in a barrier stage Spark allows no
    // union and no coalescing.
    private static RDD<InternalRow> rows(Dataset<Row> data, GroupPlan plan) {
        return data.repartition(plan.workers()).queryExecution().toRdd();
    }

    private static <T> List<TaskResult> collect(
            SparkSession spark, RDD<T> partitions, Class<T> type, GroupPlan plan) {
        ClassTag<TaskResult> tag = ClassTag$.MODULE$.apply(TaskResult.class);
        RDD<TaskResult> stage =
                partitions.barrier().mapPartitions(WorkerTask.of(type, plan), false, tag);
        SparkContext context = spark.sparkContext();
        try (JobEvents events = JobEvents.listen(context)) {
            return collect(new JavaRDD<>(stage, tag), events);
        }
    }

    private static List<TaskResult> collect(JavaRDD<TaskResult> stage, JobEvents events) {
        try {
            return stage.collect();
        } catch (Throwable e) { // Spark throws checked exceptions that it does not declare
            if (e instanceof Error error) {
                throw error;
            }
            throw events.failure(e);
        }
    }

    private static GroupResult result(
            SparkSession spark, GroupPlan plan, List<TaskResult> results, int attempt) {
        List<TaskResult> sorted = new ArrayList<>(results);
        sorted.sort(Comparator.comparingInt(result -> result.report().rank()));
        List<Row> rows = sorted.stream().flatMap(result -> result.rows().stream()).toList();
        StructType schema = plan.resultSchema();
        return new GroupResult(
                sorted.stream().map(TaskResult::report).toList(),
                spark.createDataFrame(rows, schema == null ? new StructType() : schema),
                attempt);
    }
}
