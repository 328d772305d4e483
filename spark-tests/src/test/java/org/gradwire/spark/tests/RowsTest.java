package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.gradwire.spark.GradwireOnSpark;
import org.gradwire.spark.GroupResult;
import org.gradwire.spark.SparkGroup;
import org.gradwire.spark.SparkGroupException;
import org.gradwire.spark.SparkGroupException.Reason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;

/** Rows of a data frame that workers get, and those that they return. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowsTest {
    private static final int WORKERS = 2;
    private static final int ROWS = 25_000; // several batches
    private static final StructType RESULTS =
            StructType.fromDDL("rank INT, count BIGINT, total DOUBLE, names BIGINT");

    private final SparkSession spark = Sessions.start("local[4]", Map.of());

    @AfterAll
    void stop() {
        spark.stop();
    }

    private SparkGroup total(Dataset<Row> data, String... args) {
        return GradwireOnSpark.group(spark, WORKERS, "spark.rows/spark.rows.Total")
                .modulePath(
                        List.of(
                                Programs.classes().resolve("spark.rows").toString(),
                                Programs.ARROW.toString()))
                .jvmArgs(
                        List.of(
                                "--add-opens=java.base/java.nio=org.apache.arrow.memory.core",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:TieredStopAtLevel=1"))
                .args(List.of(args))
                .data(data)
                .results(RESULTS);
    }

    private Dataset<Row> data(int rows) {
        return spark.range(rows)
                .selectExpr(
                        "id",
                        "if(id % 5 = 0, null, cast(id as double)) as x",
                        "concat('é', id % 10) as name");
    }

    @Test
    void eachWorkerGetsAShareAndReturnsRows() {
        GroupResult result = total(data(ROWS)).run();
        List<Row> rows = result.rows().collectAsList();
        assertEquals(RESULTS, result.rows().schema());
        assertEquals(List.of(0, 1), rows.stream().map(row -> row.getInt(0)).toList());
        long least = rows.stream().mapToLong(row -> row.getLong(1)).min().orElseThrow();
        long most = rows.stream().mapToLong(row -> row.getLong(1)).max().orElseThrow();
        assertEquals(true, most - least <= 4, rows.toString());
        assertEquals(ROWS, rows.stream().mapToLong(row -> row.getLong(1)).sum());
        // Sums of integers are exact.
        double all = ROWS * (ROWS - 1.0) / 2;
        double nulls = 5.0 * (ROWS / 5) * (ROWS / 5 - 1) / 2;
        assertEquals(all - nulls, rows.stream().mapToDouble(row -> row.getDouble(2)).sum());
        assertEquals(2L * ROWS, rows.stream().mapToLong(row -> row.getLong(3)).sum());
        result.workers().forEach(report -> assertEquals(1, report.rows()));
    }

    @Test
    void workerWithoutRowsReturnsNone() {
        GroupResult result = total(data(0), "1").run();
        List<Row> rows = result.rows().collectAsList();
        assertEquals(List.of(0), rows.stream().map(row -> row.getInt(0)).toList());
        rows.forEach(row -> assertEquals(0, row.getLong(1)));
        assertEquals(0, result.workers().get(1).rows());
    }

    @Test
    void otherColumnsAreRefused() {
        StructType others = StructType.fromDDL("rank INT, sum FLOAT");
        SparkGroupException failure =
                assertThrows(
                        SparkGroupException.class, () -> total(data(1), "1").results(others).run());
        assertEquals(Reason.RESULTS, failure.reason());
        assertEquals(
                "worker0 has returned rows with the columns (rank int, count bigint, total double, names bigint), expected (rank int, sum float)",
                failure.getMessage());
    }
}
