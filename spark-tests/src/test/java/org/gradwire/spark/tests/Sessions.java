package org.gradwire.spark.tests;

import org.apache.spark.sql.SparkSession;
import org.gradwire.spark.GradwireOnSpark;
import org.gradwire.spark.SparkGroup;

import java.util.List;
import java.util.Map;

/** Sessions of Spark, of which a JVM has one at a time, and groups on them. */
final class Sessions {
    private Sessions() {}

    static SparkSession start(String master, Map<String, String> more) {
        SparkSession.Builder builder = SparkSession.builder();
        options(master).forEach(builder::config);
        more.forEach(builder::config);
        return builder.getOrCreate();
    }

    static Map<String, String> options(String master) {
        return Map.of(
                "spark.master",
                master,
                "spark.app.name",
                "tests",
                "spark.ui.enabled",
                "false",
                "spark.sql.shuffle.partitions",
                "4",
                "spark.sql.warehouse.dir",
                Programs.TARGET.resolve("warehouse").toString(),
                "spark.executorEnv.GRADWIRE_HOME",
                Programs.distribution());
    }

    /** {@return a group of a program of the tests} */
    static SparkGroup group(SparkSession spark, int workers, String program, String... args) {
        return GradwireOnSpark.group(spark, workers, "spark.programs/spark.programs." + program)
                .modulePath(List.of(Programs.classes().resolve("spark.programs").toString()))
                .jvmArgs(List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"))
                .args(List.of(args));
    }
}
