package org.gradwire.checkpoint.s3;

import org.gradwire.spi.UntrustedText;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends signed requests to a bucket. A request that fails for the network or the server is sent
 * again, with growing pauses, until a deadline. Redirects are not followed. Thread-safe.
 */
final class S3Client {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int REFUSED = 300;
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_FAILED = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final Set<Integer> TEMPORARY = Set.of(408, 429);
    private static final Set<String> TEMPORARY_CODES =
            Set.of(
                    "ConditionalRequestConflict",
                    "InternalError",
                    "OperationAborted",
                    "RequestTimeout",
                    "ServiceUnavailable",
                    "SlowDown");
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final S3Settings settings;
    private final Endpoint endpoint;
    private final Signer signer;
    private final String place;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .build();

    S3Client(S3Address address, S3Settings settings) {
        this.settings = settings;
        this.endpoint = Endpoint.of(settings, address.bucket());
        this.signer = new Signer(settings.region(), "s3");
        this.place = "s3://%s: ".formatted(address.bucket());
    }

    /** A failure after which the request is sent again. */
    private static final class TemporaryException extends IOException {
        private static final long serialVersionUID = 1L;

        TemporaryException(String problem) {
            super(problem);
        }
    }

    /**
     * Send a request until it succeeds.
     *
     * @throws S3Exception if it is refused, or does not succeed in time
     */
    S3Reply send(S3Request request) throws IOException {
        long start = System.nanoTime();
        long pause = MIN_PAUSE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(request, attempt);
            } catch (S3Exception | InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                long left = settings.retryTime().toNanos() - (System.nanoTime() - start);
                if (left <= pause) {
                    throw new S3Exception(
                            "%s%s: no success within %d ms and %d attempts: %s"
                                    .formatted(
                                            place,
                                            request,
                                            settings.retryTime().toMillis(),
                                            attempt,
                                            e.getMessage()),
                            e);
                }
            }
            pause(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2));
            pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
        }
    }

    /**
     * Send a request until it succeeds, and parse the reply.
     *
     * @param root that is expected
     */
    Xml sendForXml(S3Request request, String root) throws IOException {
        byte[] body = send(request).body();
        try {
            Xml xml = Xml.parse(body);
            if (xml.root().equals(root)) {
                return xml;
            }
        } catch (IOException e) {
            throw new S3Exception("%s%s: %s".formatted(place, request, e.getMessage()), e);
        }
        throw new S3Exception("%s%s: the reply is not a %s".formatted(place, request, root));
    }

    private static void pause(long nanos) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for the object store");
    }

    private S3Reply attempt(S3Request request, int attempt) throws IOException {
        HttpResponse<byte[]> response =
                await(http.sendAsync(signed(request), _ -> new LimitedBody(request.limit())));
        byte[] body = response.body();
        boolean isXml = body.length > 0 && body[0] == '<';
        boolean mayBeError = request.method().equals("POST") && isXml;
        if (response.statusCode() < REFUSED) {
            Xml xml = mayBeError ? Xml.parse(body) : Xml.EMPTY;
            if (xml.root().equals("Error")) { // a failure after the status was sent
                throw failure(request, response, SERVER_FAILED, xml);
            }
            requireChecksum(request, response);
            return new S3Reply(response.statusCode(), response.headers(), body, attempt);
        }
        throw failure(
                request, response, response.statusCode(), isXml ? Xml.parse(body) : Xml.EMPTY);
    }

    private IOException failure(
            S3Request request, HttpResponse<byte[]> response, int status, Xml error) {
        if (status < BAD_REQUEST) {
            return new S3Exception(
                    "%s%s: the object store redirects to another place, which is not followed; set %s or %s, now %s and %s%s"
                            .formatted(
                                    place,
                                    request,
                                    S3Settings.REGION,
                                    S3Settings.ENDPOINT,
                                    settings.region(),
                                    settings.endpoint(),
                                    region(response)));
        }
        boolean isTemporary =
                (status >= SERVER_FAILED && status != NOT_IMPLEMENTED)
                        || TEMPORARY.contains(status)
                        || error.text("Code").filter(TEMPORARY_CODES::contains).isPresent();
        S3Exception refused = S3Exception.refused(place + request, status, error);
        return isTemporary ? new TemporaryException(String.valueOf(refused.getMessage())) : refused;
    }

    private static String region(HttpResponse<?> response) {
        return response.headers()
                .firstValue("x-amz-bucket-region")
                .map(region -> "; the bucket is in region " + UntrustedText.quote(region))
                .orElse("");
    }

    private HttpRequest signed(S3Request request) {
        Credentials credentials = settings.credentials().get();
        String hash = Signer.hash(request.body());
        SortedMap<String, String> headers = new TreeMap<>(request.headers());
        headers.put("host", endpoint.host());
        headers.put("x-amz-content-sha256", hash);
        headers.put("x-amz-date", Signer.time(Clock.systemUTC().instant()));
        if (!credentials.token().isEmpty()) {
            headers.put("x-amz-security-token", credentials.token());
        }
        String authorization =
                signer.authorization(
                        request.method(),
                        endpoint.path(request.key()),
                        request.query(),
                        headers,
                        hash,
                        credentials);
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(endpoint.uri(request.key(), request.query()))
                        .method(
                                request.method(),
                                request.body().length == 0 && !request.method().startsWith("P")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(request.body()))
                        .header("Authorization", authorization);
        headers.remove("host"); // the client adds it
        headers.forEach(builder::header);
        return builder.build();
    }

    /** Wait for a response with its body; a request that is late is cancelled. */
    private HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> response)
            throws IOException {
        long millis = settings.timeout().toMillis();
        try {
            return response.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            response.cancel(true);
            throw new TemporaryException("no reply within %d ms".formatted(millis));
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof S3Exception || cause.getCause() instanceof S3Exception) {
                throw new S3Exception(place + cause.getMessage(), cause);
            }
            throw new IOException(
                    Objects.requireNonNullElse(cause.getMessage(), cause.toString()), cause);
        } catch (InterruptedException _) {
            response.cancel(true);
            throw interrupted();
        }
    }

    /** Compare the checksum that the reply names, if it names one of a whole object. */
    private static void requireChecksum(S3Request request, HttpResponse<byte[]> response)
            throws TemporaryException {
        String named = response.headers().firstValue("x-amz-checksum-sha256").orElse("");
        boolean isUpload = request.method().equals("PUT");
        boolean isWhole = isUpload || (request.method().equals("GET") && !isPart(request));
        if (named.isEmpty() || named.contains("-") || !isWhole) {
            return; // with a hyphen it is that of parts
        }
        String expected = checksum(isUpload ? request.body() : response.body());
        if (!named.equals(expected)) {
            throw new TemporaryException(
                    "%s: the object store has other bytes, with SHA-256 %s; expected %s"
                            .formatted(request, UntrustedText.quote(named), expected));
        }
    }

    private static boolean isPart(S3Request request) {
        return request.headers().containsKey("range");
    }

    /** {@return the SHA-256 of bytes, as in headers} */
    static String checksum(byte[] bytes) {
        return Base64.getEncoder().encodeToString(Signer.sha256(bytes));
    }
}
