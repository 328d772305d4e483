package org.gradwire.spark;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.InvalidArrowFileException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.arrow.ArrowWriter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.ArrowUtils;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.gradwire.spark.SparkGroupException.Reason;

import scala.Function1;
import scala.collection.Iterator;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Reads and writes rows as files of Arrow's IPC format, with the vectors of Spark itself. */
final class ArrowFiles {
    private static final int ROWS_PER_BATCH = 10_000;
    private static final String TIME_ZONE = "UTC";

    private ArrowFiles() {}

    /** Write rows to a new file. */
    static void write(Path file, StructType schema, Iterator<InternalRow> rows) throws IOException {
        ArrowWriter batch = ArrowWriter.create(schema, TIME_ZONE, true, false);
        try (VectorSchemaRoot root = batch.root();
                FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                var writer = new ArrowFileWriter(root, null, channel)) {
            writer.start();
            while (rows.hasNext()) {
                for (int i = 0; i < ROWS_PER_BATCH && rows.hasNext(); i++) {
                    batch.write(rows.next());
                }
                batch.finish();
                writer.writeBatch();
                batch.reset();
            }
            writer.end();
        }
    }

    /**
     * Read the rows of a file; {@return none if it does not exist}
     *
     * @throws SparkGroupException if it has other columns, or another format
     */
    static List<Row> read(Path file, StructType schema, int rank) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (BufferAllocator allocator =
                        ArrowUtils.rootAllocator()
                                .newChildAllocator("gradwire", 0, Long.MAX_VALUE);
                FileChannel channel = FileChannel.open(file);
                var reader = new ArrowFileReader(channel, allocator)) {
            return read(reader, schema, rank);
        } catch (InvalidArrowFileException e) {
            throw new SparkGroupException(
                    Reason.RESULTS,
                    "worker%d has written no Arrow IPC file to the file that %s names: %s"
                            .formatted(rank, SparkGroup.RESULT_FILE, e.getMessage()),
                    e);
        }
    }

    private static List<Row> read(ArrowFileReader reader, StructType schema, int rank)
            throws IOException {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        requireColumns(schema, ArrowUtils.fromArrowSchema(root.getSchema()), rank);
        Function1<Object, Object> toRow = CatalystTypeConverters.createToScalaConverter(schema);
        List<Row> rows = new ArrayList<>();
        while (reader.loadNextBatch()) {
            ColumnVector[] columns =
                    root.getFieldVectors().stream()
                            .map(ArrowColumnVector::new)
                            .toArray(ColumnVector[]::new);
            var batch = new ColumnarBatch(columns, root.getRowCount());
            batch.rowIterator().forEachRemaining(row -> rows.add((Row) toRow.apply(row)));
        }
        return rows;
    }

    private static void requireColumns(StructType expected, StructType found, int rank) {
        if (!columns(expected).equals(columns(found))) {
            throw new SparkGroupException(
                    Reason.RESULTS,
                    "worker%d has returned rows with the columns (%s), expected (%s)"
                            .formatted(rank, columns(found), columns(expected)));
        }
    }

    private static String columns(StructType schema) {
        return Arrays.stream(schema.fields())
                .map(field -> field.name() + " " + field.dataType().catalogString())
                .collect(Collectors.joining(", "));
    }
}
