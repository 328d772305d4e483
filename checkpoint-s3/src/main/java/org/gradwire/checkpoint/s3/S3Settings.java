package org.gradwire.checkpoint.s3;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of a storage.
 *
 * @param endpoint without a path
 * @param pathStyle whether the bucket is in the path rather than in the name of the host
 * @param timeout of one request
 * @param retryTime within which a request that fails is sent again
 * @param partBytes of uploads and downloads
 */
record S3Settings(
        URI endpoint,
        String region,
        Optional<Boolean> pathStyle,
        CredentialSource credentials,
        Duration timeout,
        Duration retryTime,
        int partBytes) {
    static final String ENDPOINT = "gradwire.s3.endpoint";
    static final String REGION = "gradwire.s3.region";
    static final String ADDRESSING = "gradwire.s3.addressing";
    static final String CREDENTIALS_FILE = "gradwire.s3.credentials-file";
    static final String REQUEST_TIMEOUT = "gradwire.s3.request-timeout";
    static final String RETRY_TIME = "gradwire.s3.retry-time";
    static final String PART_SIZE = "gradwire.s3.part-size";

    static final List<Setting> ALL =
            List.of(
                    new Setting(
                            ENDPOINT,
                            "",
                            "URL of the object store; by default AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else that of Amazon in the region. Only http:// sends without TLS."),
                    new Setting(
                            REGION,
                            "",
                            "Region of the bucket; by default AWS_REGION or AWS_DEFAULT_REGION, else us-east-1."),
                    new Setting(
                            ADDRESSING,
                            "auto",
                            "Place of the bucket's name in URLs: path, virtual (in the name of the host), or auto, which is path for other endpoints than Amazon's and for names with dots."),
                    new Setting(
                            CREDENTIALS_FILE,
                            "",
                            "File of access keys in Amazon's format, read again for each request; by default AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, else AWS_SHARED_CREDENTIALS_FILE or .aws/credentials in the user's home. AWS_PROFILE names the section."),
                    new Setting(
                            REQUEST_TIMEOUT,
                            "60s",
                            "Time after which a request is cancelled and sent again, from 100ms to 10m; within it a part must be sent."),
                    new Setting(
                            RETRY_TIME,
                            "2m",
                            "Time within which a request that fails for the server or the network is sent again, up to 1h."),
                    new Setting(
                            PART_SIZE,
                            "16m",
                            "Size of the parts in which larger files are sent and read, from 5m to 512m; each save and load holds one in memory."));

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration MOST_RETRY_TIME = Duration.ofHours(1);
    private static final int LEAST_PART = 5 << 20; // of S3
    private static final int MOST_PART = 512 << 20;

    static S3Settings read(Settings settings, Function<String, Optional<String>> environment) {
        String region =
                first(settings.find(REGION), environment, "AWS_REGION", "AWS_DEFAULT_REGION")
                        .orElse("us-east-1");
        if (!region.matches("[a-z0-9-]{1,40}")) {
            throw settings.wrong(REGION, "letters, digits and hyphens, such as eu-central-1");
        }
        Optional<String> endpoint =
                first(
                        settings.find(ENDPOINT),
                        environment,
                        "AWS_ENDPOINT_URL_S3",
                        "AWS_ENDPOINT_URL");
        String addressing = settings.choice(ADDRESSING, List.of("auto", "path", "virtual"));
        return new S3Settings(
                Endpoint.parse(endpoint.orElseGet(() -> Endpoint.ofAmazon(region))),
                region,
                pathStyle(addressing, endpoint.isPresent()),
                CredentialSource.of(settings.find(CREDENTIALS_FILE), environment),
                duration(settings, REQUEST_TIMEOUT, MOST_TIMEOUT),
                duration(settings, RETRY_TIME, MOST_RETRY_TIME),
                partBytes(settings));
    }

    private static Optional<String> first(
            Optional<String> setting,
            Function<String, Optional<String>> environment,
            String... variables) {
        Optional<String> found = setting;
        for (String variable : variables) {
            found = found.or(() -> environment.apply(variable).filter(text -> !text.isBlank()));
        }
        return found;
    }

    private static Optional<Boolean> pathStyle(String addressing, boolean isOther) {
        return switch (addressing) {
            case "path" -> Optional.of(true);
            case "virtual" -> Optional.of(false);
            default -> isOther ? Optional.of(true) : Optional.empty();
        };
    }

    private static Duration duration(Settings settings, String key, Duration most) {
        Duration value = settings.duration(key, LEAST_TIMEOUT);
        if (value.compareTo(most) > 0) {
            throw settings.wrong(key, most.toMillis() + "ms or less");
        }
        return value;
    }

    private static int partBytes(Settings settings) {
        long bytes = settings.bytes(PART_SIZE);
        if (bytes < LEAST_PART || bytes > MOST_PART) {
            throw settings.wrong(PART_SIZE, "from 5m to 512m");
        }
        return (int) bytes;
    }
}
