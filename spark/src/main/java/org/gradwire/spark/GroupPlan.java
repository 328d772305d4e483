package org.gradwire.spark;

import org.apache.spark.sql.types.StructType;
import org.gradwire.spark.SparkGroupException.Reason;
import org.jspecify.annotations.Nullable;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the tasks of a group need to know.
 *
 * @param home folder of the distribution; null for that of {@code GRADWIRE_HOME}
 * @param dataSchema of the rows for workers; null without any
 * @param resultSchema of the rows that workers return; null without any
 */
record GroupPlan(
        int workers,
        String program,
        List<String> args,
        List<String> jvmArgs,
        List<String> modulePath,
        Map<String, String> environment,
        @Nullable String home,
        Duration grace,
        @Nullable StructType dataSchema,
        @Nullable StructType resultSchema)
        implements Serializable {
    private static final String NAME =
            "[\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*";
    private static final Pattern PROGRAM = Pattern.compile(NAME + "/" + NAME);
    private static final int MAX_WORKERS = Short.MAX_VALUE;
    private static final Duration GRACE = Duration.ofSeconds(10);

    GroupPlan {
        args = List.copyOf(args);
        jvmArgs = List.copyOf(jvmArgs);
        modulePath = List.copyOf(modulePath);
        environment = Map.copyOf(environment);
    }

    static GroupPlan of(int workers, String program) {
        if (workers < 1 || workers > MAX_WORKERS) {
            throw new SparkGroupException(
                    Reason.OPTION,
                    "the number of workers is %d, expected 1 to %d"
                            .formatted(workers, MAX_WORKERS));
        }
        if (!PROGRAM.matcher(program).matches()) {
            throw new SparkGroupException(
                    Reason.OPTION,
                    "the program is '%s', expected module/main.Class, such as my.module/my.Main"
                            .formatted(program));
        }
        return new GroupPlan(
                workers, program, List.of(), List.of(), List.of(), Map.of(), null, GRACE, null,
                null);
    }

    GroupPlan withArgs(List<String> changed) {
        return new GroupPlan(
                workers,
                program,
                changed,
                jvmArgs,
                modulePath,
                environment,
                home,
                grace,
                dataSchema,
                resultSchema);
    }

    GroupPlan withJvmArgs(List<String> changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                changed,
                modulePath,
                environment,
                home,
                grace,
                dataSchema,
                resultSchema);
    }

    GroupPlan withModulePath(List<String> changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                changed,
                environment,
                home,
                grace,
                dataSchema,
                resultSchema);
    }

    GroupPlan withEnvironment(Map<String, String> changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                changed,
                home,
                grace,
                dataSchema,
                resultSchema);
    }

    GroupPlan withHome(String changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                environment,
                changed,
                grace,
                dataSchema,
                resultSchema);
    }

    GroupPlan withGrace(Duration changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                environment,
                home,
                changed,
                dataSchema,
                resultSchema);
    }

    GroupPlan withDataSchema(StructType changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                environment,
                home,
                grace,
                changed,
                resultSchema);
    }

    GroupPlan withResultSchema(StructType changed) {
        return new GroupPlan(
                workers,
                program,
                args,
                jvmArgs,
                modulePath,
                environment,
                home,
                grace,
                dataSchema,
                changed);
    }
}
