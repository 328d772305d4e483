package org.gradwire.conformance.test;

import org.gradwire.conformance.stores.StoreConformance;
import org.gradwire.conformance.stores.StoreUnderTest;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** The rules of stores over {@code file}. */
class FileStoreConformanceTest extends StoreConformance {
    @TempDir private Path directory = Path.of("");

    @Override
    protected StoreUnderTest store() {
        return StoreUnderTest.of(
                "file",
                () -> directory.resolve(UUID.randomUUID().toString()).toUri().toString(),
                Map.of());
    }
}
