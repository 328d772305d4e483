package org.gradwire.spark.examples;

import org.apache.spark.sql.SparkSession;
import org.gradwire.spark.GradwireOnSpark;
import org.gradwire.spark.SparkGroup;
import org.gradwire.spark.WorkerReport;

import java.util.List;
import java.util.stream.Stream;

/**
 * Trains the language model of the examples on a cluster of Spark: {@code TrainOnSpark WORKERS
 * [ARG...]}. Arguments that begin with {@code -X} are those of the workers' JVMs, the others those
 * of the example {@code train}. Prints the end of the trainer's output.
 */
public final class TrainOnSpark {
    private TrainOnSpark() {}

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().appName("train").getOrCreate();
        String home = spark.conf().get("spark.executorEnv.GRADWIRE_HOME");
        SparkGroup group =
                GradwireOnSpark.group(
                                spark,
                                Integer.parseInt(args[0]),
                                "org.gradwire.examples/org.gradwire.examples.train.Train")
                        .modulePath(List.of(home + "/examples-lib"))
                        .jvmArgs(arguments(args, true))
                        .args(arguments(args, false));
        try {
            List<WorkerReport> reports = group.run().workers();
            reports.get(0).lastLines().forEach(System.out::println);
        } finally {
            spark.stop();
        }
    }

    private static List<String> arguments(String[] args, boolean ofJvm) {
        return Stream.of(args).skip(1).filter(arg -> arg.startsWith("-X") == ofJvm).toList();
    }
}
