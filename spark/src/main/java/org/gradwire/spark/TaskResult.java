package org.gradwire.spark;

import org.apache.spark.sql.Row;

import java.io.Serializable;
import java.util.List;

/** The report and the rows that a task returns to the driver. */
record TaskResult(WorkerReport report, List<Row> rows) implements Serializable {}
