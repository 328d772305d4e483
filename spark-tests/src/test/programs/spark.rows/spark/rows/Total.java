package spark.rows;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads the rows (id, x, name) of its partition and returns a row (rank, count, total, names) with
 * their number, the sum of x without nulls, and the length of all names. A worker whose rank is in
 * the arguments returns nothing.
 */
public final class Total {
    private static long count;
    private static double total;
    private static long names;

    private Total() {}

    public static void main(String[] args) throws IOException {
        String rank = System.getenv("GRADWIRE_RANK");
        if (List.of(args).contains(rank)) {
            return;
        }
        try (RootAllocator allocator = new RootAllocator()) {
            read(allocator);
            write(allocator, Integer.parseInt(rank));
        }
    }

    private static void read(RootAllocator allocator) throws IOException {
        Path file = Path.of(System.getenv("SPARK_PARTITION_FILE"));
        try (FileChannel channel = FileChannel.open(file);
                ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                count += root.getRowCount();
                Float8Vector x = (Float8Vector) root.getVector("x");
                VarCharVector name = (VarCharVector) root.getVector("name");
                for (int i = 0; i < root.getRowCount(); i++) {
                    total += x.isNull(i) ? 0 : x.get(i);
                    names += new String(name.get(i), StandardCharsets.UTF_8).length();
                }
            }
        }
    }

    private static void write(RootAllocator allocator, int rank) throws IOException {
        Path file = Path.of(System.getenv("SPARK_RESULT_FILE"));
        try (IntVector ranks = new IntVector("rank", allocator);
                BigIntVector counts = new BigIntVector("count", allocator);
                Float8Vector totals = new Float8Vector("total", allocator);
                BigIntVector lengths = new BigIntVector("names", allocator)) {
            ranks.setSafe(0, rank);
            counts.setSafe(0, count);
            totals.setSafe(0, total);
            lengths.setSafe(0, names);
            VectorSchemaRoot root = VectorSchemaRoot.of(ranks, counts, totals, lengths);
            root.setRowCount(1);
            try (FileChannel channel =
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
                writer.start();
                writer.writeBatch();
                writer.end();
            }
        }
    }
}
