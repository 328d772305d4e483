package org.gradwire.spark;

import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A task: writes its partition for a worker, starts the worker together with the other tasks, waits
 * for its end and reads its rows.
 *
 * <p>All tasks of a group make the same calls of the barrier: one when their partitions are
 * written, and one in which that of rank 0 sends the rendezvous.
 *
 * @param <T> content of the partition, of which only rows matter
 */
final class WorkerTask<T> extends AbstractFunction1<Iterator<T>, Iterator<TaskResult>>
        implements Serializable {
    private static final long serialVersionUID = 1;

    private final boolean withRows;
    private final GroupPlan plan;

    private WorkerTask(boolean withRows, GroupPlan plan) {
        this.withRows = withRows;
        this.plan = plan;
    }

    static <T> WorkerTask<T> of(Class<T> type, GroupPlan plan) {
        return new WorkerTask<>(type == InternalRow.class, plan);
    }

    @Override
    public Iterator<TaskResult> apply(Iterator<T> partition) {
        try (TaskFolder folder = TaskFolder.create(localFolder())) {
            return CollectionConverters.asScala(List.of(run(partition, folder)).iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the task was interrupted", e);
        }
    }

    /** {@return a folder that the cluster's manager deletes even after a kill of the executor} */
    private static Path localFolder() {
        File[] folders = SparkEnv.get().blockManager().diskBlockManager().localDirs();
        return folders[0].toPath();
    }

    private TaskResult run(Iterator<T> partition, TaskFolder folder)
            throws IOException, InterruptedException {
        BarrierTaskContext context = BarrierTaskContext.get();
        var host = ExecutorHost.of(plan);
        Map<String, String> files = prepare(partition, folder);
        // The first worker waits for the others from its start on.
        context.barrier();
        WorkerReport report = work(context, host, files);
        if (report.exitCode() != 0) {
            throw SparkGroupException.failed(report);
        }
        return result(report, folder);
    }

    /** Write the rows; {@return the variables that name the files of the worker} */
    private Map<String, String> prepare(Iterator<T> partition, TaskFolder folder)
            throws IOException {
        Map<String, String> files = new HashMap<>();
        StructType dataSchema = plan.dataSchema();
        if (withRows && dataSchema != null) {
            @SuppressWarnings("unchecked")
            var rows = (Iterator<InternalRow>) partition;
            ArrowFiles.write(folder.partition(), dataSchema, rows);
            files.put(SparkGroup.PARTITION_FILE, folder.partition().toString());
        }
        if (plan.resultSchema() != null) {
            files.put(SparkGroup.RESULT_FILE, folder.result().toString());
        }
        return files;
    }

    private WorkerReport work(
            BarrierTaskContext context, ExecutorHost host, Map<String, String> files)
            throws IOException, InterruptedException {
        int rank = context.partitionId();
        String address = Rendezvous.host(context.getTaskInfos()[0].address());
        try (LauncherProcess launcher = host.start(plan, rank, address, files)) {
            if (rank == 0) {
                String secret = Rendezvous.randomSecret();
                launcher.begin(new Rendezvous(0, secret));
                context.allGather(new Rendezvous(launcher.awaitPort(context), secret).text());
            } else {
                launcher.begin(Rendezvous.parse(context.allGather("")[0]));
            }
            return launcher.awaitEnd(context);
        }
    }

    private TaskResult result(WorkerReport report, TaskFolder folder) throws IOException {
        StructType schema = plan.resultSchema();
        if (schema == null) {
            return new TaskResult(report, List.of());
        }
        List<Row> rows = ArrowFiles.read(folder.result(), schema, report.rank());
        return new TaskResult(
                new WorkerReport(
                        report.rank(),
                        report.host(),
                        report.executor(),
                        report.exitCode(),
                        report.time(),
                        rows.size(),
                        report.lastLines()),
                rows);
    }
}
