package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.sql.SparkSession;
import org.gradwire.spark.SparkGroupException;
import org.gradwire.spark.SparkGroupException.Reason;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** A group on a cluster with dynamic allocation. */
class DynamicAllocationTest {

    @Test
    void dynamicAllocationIsRefused() throws Exception {
        try (SparkSession spark =
                Sessions.start("local[2]", Map.of("spark.dynamicAllocation.enabled", "true"))) {
            SparkGroupException refusal =
                    assertThrows(
                            SparkGroupException.class,
                            () -> Sessions.group(spark, 2, "Fate", "variables").run());
            assertEquals(Reason.DYNAMIC_ALLOCATION, refusal.reason());
            assertEquals(
                    "spark.dynamicAllocation.enabled is true, but Spark runs no barrier stage with dynamic allocation: set it to false and name the number of executors, such as spark.executor.instances",
                    refusal.getMessage());
        }
    }
}
