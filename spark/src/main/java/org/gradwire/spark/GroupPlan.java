package org.gradwire.spark;

import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The options of a group, for its tasks.
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

    GroupPlan {
        args = List.copyOf(args);
        jvmArgs = List.copyOf(jvmArgs);
        modulePath = List.copyOf(modulePath);
        environment = Map.copyOf(environment);
    }
}
