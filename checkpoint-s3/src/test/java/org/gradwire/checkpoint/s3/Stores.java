package org.gradwire.checkpoint.s3;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Settings and storages of tests. */
final class Stores {
    static final Credentials KEY = new Credentials("key-of-tests", "secret-of-tests", "");
    static final int PART_BYTES = 5 << 20;

    private Stores() {}

    static S3Settings settings(URI endpoint, Duration timeout, Duration retryTime) {
        return new S3Settings(
                endpoint,
                "us-east-1",
                Optional.of(true),
                () -> KEY,
                timeout,
                retryTime,
                PART_BYTES);
    }

    static S3Storage storage(URI endpoint, String address) {
        return new S3Storage(
                S3Address.parse(address),
                settings(endpoint, Duration.ofSeconds(20), Duration.ofSeconds(20)));
    }
}
