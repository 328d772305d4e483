package org.gradwire.backend.tensorpipe;

import java.util.Map;

/** Prints the reason why the backend cannot work in its JVM. */
final class ObstaclePrinter {
    private ObstaclePrinter() {}

    public static void main(String[] args) {
        System.out.println(
                "obstacle: "
                        + new TensorPipeProvider()
                                .obstacle(MapSettings.with(Map.of()))
                                .orElse("none"));
    }
}
