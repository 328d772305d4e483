package org.gradwire.store.etcd.tests;

import org.gradwire.conformance.stores.StoreConformance;
import org.gradwire.conformance.stores.StoreUnderTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The rules of stores over {@code etcd}. */
class EtcdStoreTest extends StoreConformance {
    @TempDir private Path directory = Path.of("");
    private @Nullable EtcdCluster etcd;

    @BeforeEach
    void start() {
        etcd = EtcdCluster.start(directory, 1);
    }

    @AfterEach
    void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    protected StoreUnderTest store() {
        EtcdCluster running = Objects.requireNonNull(etcd);
        return StoreUnderTest.of(
                "etcd", () -> running.address("kit/" + UUID.randomUUID()), Map.of());
    }
}
