package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;

/**
 * Requests to the JSON gateway of an etcd cluster. An endpoint that fails or does not reply is
 * followed by the next one, until a deadline. Thread-safe.
 */
final class EtcdClient implements AutoCloseable {
    private static final int OK = 200;
    private static final int SERVER_FAILURES = 500;
    private static final int NOT_FOUND = 5; // codes of gRPC
    private static final int PERMISSION_DENIED = 7;
    private static final int UNAUTHENTICATED = 16;
    private static final long MAX_BODY_BYTES = 16 << 20;
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final EtcdAddress address;
    private final EtcdSettings settings;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;
    private final AtomicInteger preferred = new AtomicInteger();
    private volatile @Nullable String token; // null before the user has been authenticated
    private volatile boolean closed;

    EtcdClient(EtcdAddress address, EtcdSettings settings, @Nullable SSLContext tls) {
        this.address = address;
        this.settings = settings;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(settings.requestTimeout())
                        .executor(threads);
        if (tls != null) {
            builder.sslContext(tls);
        }
        http = builder.build();
    }

    /** {@return the endpoint that replied last} */
    URI endpoint() {
        return address.endpoints().get(Math.floorMod(preferred.get(), address.endpoints().size()));
    }

    /**
     * Send a request, to each endpoint in turn, until one replies. It may take effect more than
     * once.
     *
     * @param path after {@code /v3/}
     * @throws RpcTimeoutException when none replies in time; the request may take effect later
     * @throws RpcException when etcd refuses the request
     */
    Json post(String path, Map<String, ?> body, Duration timeout) {
        long start = System.nanoTime();
        long patience = timeout.toNanos();
        long share = patience / address.endpoints().size();
        long pause = MIN_PAUSE_NANOS;
        var problem = new StringBuilder();
        while (true) {
            long left = patience - (System.nanoTime() - start);
            Json reply = tryOnce(path, body, Math.min(left, share), problem);
            if (reply != null) {
                return reply;
            }
            if (patience - (System.nanoTime() - start) <= pause) {
                throw new RpcTimeoutException(
                        "etcd at %s did not reply within %d ms (%s)"
                                .formatted(address.hosts(), timeout.toMillis(), problem));
            }
            pause(pause);
            pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
        }
    }

    /**
     * Send a request to one endpoint.
     *
     * @param problem receives the reason if this returns null: another attempt may succeed. A late
     *     reply is a reason only if there was not a better one
     */
    private @Nullable Json tryOnce(
            String path, Map<String, ?> body, long nanos, StringBuilder problem) {
        int attempted = preferred.get();
        try {
            Json reply = attempt(path, body, Math.max(nanos, MIN_PAUSE_NANOS));
            if (reply == null) {
                problem.replace(0, problem.length(), "it requires the user again");
            }
            return reply;
        } catch (IOException e) {
            if (problem.isEmpty() || !(e instanceof HttpTimeoutException)) {
                problem.replace(
                        0, problem.length(), "%s: %s".formatted(endpoint(), e.getMessage()));
            }
            var _ = preferred.compareAndSet(attempted, attempted + 1);
            requireOpen();
            return null;
        }
    }

    private static void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private static RpcException interrupted() {
        Thread.currentThread().interrupt();
        return new RpcException("interrupted while waiting for etcd");
    }

    private void requireOpen() {
        if (closed) {
            throw new RpcException(RpcErrorKind.SHUTDOWN, "the store was closed by this worker");
        }
    }

    /**
     * Send a request once.
     *
     * @return null if the user had to be authenticated again
     * @throws IOException if another endpoint may succeed
     */
    private @Nullable Json attempt(String path, Map<String, ?> body, long nanos)
            throws IOException {
        requireOpen();
        String used = authenticate(nanos);
        HttpResponse<byte[]> response = await(send(path, body, used, limited()), nanos);
        Json json = parse(response.body());
        if (response.statusCode() == OK) {
            return json;
        }
        return refused(response.statusCode(), json, used);
    }

    private static BodyHandler<byte[]> limited() {
        return BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES);
    }

    /** {@return null if the user has to be authenticated again} */
    private @Nullable Json refused(int status, Json json, @Nullable String used)
            throws IOException {
        int code = (int) json.get("code").number();
        String why = UntrustedText.quote(json.get("error").text());
        if (used != null && (code == UNAUTHENTICATED || why.contains("revision of auth store"))) {
            token = null;
            return null;
        }
        if (status >= SERVER_FAILURES) {
            throw new IOException(why.isEmpty() ? "HTTP status " + status : why);
        }
        throw switch (code) {
            case NOT_FOUND -> new LeaseNotFoundException(why);
            case PERMISSION_DENIED ->
                    new RpcException(
                            RpcErrorKind.PERMISSION_DENIED,
                            "etcd at %s does not permit user '%s' to use the keys below %s/: %s"
                                    .formatted(
                                            address.hosts(),
                                            settings.user().orElse(""),
                                            address.job(),
                                            why));
            default ->
                    new RpcException(
                            "etcd at %s refused a request (HTTP status %d): %s"
                                    .formatted(address.hosts(), status, why));
        };
    }

    /** {@return the token of the user; null without a user} */
    private @Nullable String authenticate(long nanos) throws IOException {
        String present = token;
        if (settings.user().isEmpty() || present != null) {
            return present;
        }
        Map<String, String> body =
                Map.of("name", settings.user().get(), "password", settings.password());
        HttpResponse<byte[]> response =
                await(send("auth/authenticate", body, null, limited()), nanos);
        Json json = parse(response.body());
        if (response.statusCode() >= SERVER_FAILURES) {
            throw new IOException(UntrustedText.quote(json.get("error").text()));
        }
        String fresh = json.get("token").text();
        if (response.statusCode() != OK || fresh.isEmpty()) {
            throw new RpcException(
                    RpcErrorKind.PERMISSION_DENIED,
                    "etcd at %s does not accept user '%s' with the password in %s: %s"
                            .formatted(
                                    address.hosts(),
                                    settings.user().get(),
                                    EtcdSettings.PASSWORD_FILE,
                                    UntrustedText.quote(json.get("error").text())));
        }
        token = fresh;
        return fresh;
    }

    private <T> CompletableFuture<HttpResponse<T>> send(
            String path, Map<String, ?> body, @Nullable String used, BodyHandler<T> handler) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(endpoint().resolve("/v3/" + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        if (used != null) {
            request.header("Authorization", used);
        }
        return http.sendAsync(request.build(), handler);
    }

    /** Wait for a response with its body; a request that is late is cancelled. */
    private <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> response, long nanos)
            throws IOException {
        long millis = Math.min(settings.requestTimeout().toNanos(), nanos) / 1_000_000 + 1;
        try {
            return response.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            response.cancel(true);
            throw new HttpTimeoutException("no reply within %d ms".formatted(millis));
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(
                    Objects.requireNonNullElse(cause.getMessage(), cause.toString()), cause);
        } catch (InterruptedException _) {
            response.cancel(true);
            throw interrupted();
        }
    }

    private static Json parse(byte[] body) throws IOException {
        try (JsonParser parser = Json.parser(new ByteArrayInputStream(body))) {
            Json json = Json.next(parser);
            if (json == null) {
                throw new IOException("the reply is empty");
            }
            return json;
        } catch (JacksonException e) {
            throw new IOException("the reply is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Open a stream of replies.
     *
     * @throws IOException if the endpoint does not open it in time
     */
    InputStream stream(String path, Map<String, ?> body) throws IOException {
        requireOpen();
        long nanos = settings.requestTimeout().toNanos();
        String used = authenticate(nanos);
        HttpResponse<InputStream> response =
                await(send(path, body, used, BodyHandlers.ofInputStream()), nanos);
        if (response.statusCode() != OK) {
            response.body().close();
            throw new IOException("HTTP status " + response.statusCode());
        }
        return response.body();
    }

    RpcConnectionException ended() {
        return address.ended();
    }

    @Override
    public void close() {
        closed = true;
        http.shutdownNow();
        threads.shutdownNow();
    }
}
