package org.gradwire.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

import java.util.List;

/**
 * The result of a group that ended with success.
 *
 * @param workers a report for each worker, in the order of their ranks
 * @param rows the rows of all workers, in the order of their ranks; without columns if the group
 *     was to return none
 * @param attempt number of the attempt that succeeded, from 1
 */
public record GroupResult(List<WorkerReport> workers, Dataset<Row> rows, int attempt) {

    /** Create a result. */
    public GroupResult {
        workers = List.copyOf(workers);
    }
}
