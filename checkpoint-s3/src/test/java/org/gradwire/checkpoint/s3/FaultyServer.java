package org.gradwire.checkpoint.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that replies as a test says, request by request; the last reply is repeated. */
final class FaultyServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    /** A reply. */
    @FunctionalInterface
    interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    FaultyServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Set the replies to the next requests. */
    FaultyServer then(Reply... next) {
        synchronized (replies) {
            replies.clear();
            replies.addAll(List.of(next));
        }
        return this;
    }

    /** {@return methods and URIs that have arrived} */
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void handle(HttpExchange exchange) throws IOException {
        var _ = exchange.getRequestBody().readAllBytes();
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        Reply reply;
        synchronized (replies) {
            reply = replies.size() > 1 ? replies.removeFirst() : replies.getFirst();
        }
        try (exchange) {
            reply.to(exchange);
        }
    }

    static Reply status(int status, String body, Map<String, String> headers) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return exchange -> {
            headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            boolean isEmpty = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, isEmpty ? -1 : bytes.length);
            if (!isEmpty) {
                exchange.getResponseBody().write(bytes);
            }
        };
    }

    static Reply status(int status, String body) {
        return status(status, body, Map.of());
    }

    static Reply error(int status, String code) {
        return status(
                status, "<Error><Code>%s</Code><Message>no\nway</Message></Error>".formatted(code));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
