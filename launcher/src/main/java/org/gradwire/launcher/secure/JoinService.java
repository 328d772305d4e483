package org.gradwire.launcher.secure;

import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.WorkerTime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Issues the certificates of the workers of launchers on other machines, over TLS. A launcher needs
 * the join token in a file, which is valid for one; then the file gets the next token, until all
 * workers of the group have certificates.
 */
public final class JoinService implements AutoCloseable {
    private static final Duration REQUEST_TIME = Duration.ofSeconds(10);
    private static final Duration REPLY_TIME = Duration.ofSeconds(60);
    private static final long REPORT_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int PAUSE_MILLIS = 200;
    private static final int BACKLOG = 16;

    private final RunAuthority authority;
    private final String groupToken;
    private final JoinTokenOutput tokens;
    private final Consumer<String> messages;
    private final Duration requestTime;
    private final ServerSocket listening;
    private final SSLContext tls;
    private final JoinConnections connections = new JoinConnections();
    private final Object granting = new Object(); // held while certificates are issued
    private volatile JoinToken token;
    private volatile boolean closed;
    private long nextReportNanos = System.nanoTime(); // of a refusal; guarded by this

    /**
     * Start the service.
     *
     * @param address at which it listens
     * @param groupToken which launchers that join receive
     * @param tokenFile receives the join token; must not exist
     * @param messages for the user
     */
    public static JoinService start(
            RunAuthority authority,
            InetSocketAddress address,
            String groupToken,
            Path tokenFile,
            Consumer<String> messages)
            throws IOException {
        return start(authority, address, groupToken, tokenFile, messages, REQUEST_TIME);
    }

    /**
     * Start a service that passes each join token to a program.
     *
     * @param tokens receives the tokens
     * @param messages for the user
     */
    public static JoinService start(
            RunAuthority authority,
            InetSocketAddress address,
            String groupToken,
            Consumer<String> tokens,
            Consumer<String> messages)
            throws IOException {
        JoinTokenOutput output = JoinTokenOutput.toProgram(tokens);
        return start(authority, address, groupToken, output, messages, REQUEST_TIME);
    }

    /**
     * As the public one.
     *
     * @param requestTime for a launcher to prove the token and to send its request
     */
    static JoinService start(
            RunAuthority authority,
            InetSocketAddress address,
            String groupToken,
            Path tokenFile,
            Consumer<String> messages,
            Duration requestTime)
            throws IOException {
        JoinTokenOutput output = JoinTokenOutput.toFile(tokenFile, messages);
        return start(authority, address, groupToken, output, messages, requestTime);
    }

    private static JoinService start(
            RunAuthority authority,
            InetSocketAddress address,
            String groupToken,
            JoinTokenOutput tokens,
            Consumer<String> messages,
            Duration requestTime)
            throws IOException {
        SSLContext tls = authority.serviceContext();
        var listening = new ServerSocket();
        try {
            listening.setReuseAddress(true);
            listening.bind(address, BACKLOG);
            var service =
                    new JoinService(
                            authority, groupToken, tokens, messages, requestTime, listening, tls);
            service.writeToken();
            Thread.ofPlatform().daemon().name("gradwire-join").start(service::accept);
            return service;
        } catch (IOException e) {
            listening.close();
            throw new IOException(
                    "launchers cannot join at %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    private JoinService(
            RunAuthority authority,
            String groupToken,
            JoinTokenOutput tokens,
            Consumer<String> messages,
            Duration requestTime,
            ServerSocket listening,
            SSLContext tls)
            throws IOException {
        this.authority = authority;
        this.groupToken = groupToken;
        this.tokens = tokens;
        this.messages = messages;
        this.requestTime = requestTime;
        this.listening = listening;
        this.tls = tls;
        token = JoinToken.random(authority.certificate());
    }

    private void writeToken() throws IOException {
        tokens.next(token, authority.missing());
    }

    private void accept() {
        while (!closed) {
            try {
                serve(listening.accept());
            } catch (IOException e) {
                pauseAfter(e);
            }
        }
    }

    private void pauseAfter(IOException failure) {
        if (closed) {
            return;
        }
        report("gradwire: a launcher could not be accepted: " + failure.getMessage());
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Serve a connection on its own thread, unless there are too many. */
    private void serve(Socket socket) throws IOException {
        InetAddress from = socket.getInetAddress();
        if (connections.enter(from)) {
            Thread.ofVirtual().name("gradwire-join").start(() -> answer(socket, from));
        } else {
            socket.close();
        }
    }

    private void answer(Socket socket, InetAddress from) {
        try (socket;
                var session =
                        (SSLSocket)
                                tls.getSocketFactory()
                                        .createSocket(socket, null, socket.getPort(), true)) {
            session.setUseClientMode(false);
            session.setEnabledProtocols(JoinClient.PROTOCOLS);
            var out = new DataOutputStream(session.getOutputStream());
            try {
                grant(read(session, socket), session, out);
            } catch (JoinRefusedException e) {
                report(
                        "gradwire: a launcher at %s may not join: %s"
                                .formatted(
                                        from.getHostAddress(),
                                        UntrustedText.quote(String.valueOf(e.getMessage()))));
                JoinRequest.writeRefusal(out, String.valueOf(e.getMessage()));
                readRest(session, socket);
            }
        } catch (IOException | RuntimeException _) {
            // A stranger, or a launcher that has ended.
        } finally {
            connections.leave(from);
        }
    }

    private JoinRequest read(SSLSocket session, Socket socket) throws IOException {
        Future<?> end = closeAfter(requestTime, socket);
        try {
            session.startHandshake();
            return JoinRequest.read(
                    new DataInputStream(session.getInputStream()), this::requireSecret);
        } finally {
            end.cancel(false);
        }
    }

    /**
     * Read the rest of a refused request, or its launcher would see a reset instead of the reason.
     */
    private void readRest(SSLSocket session, Socket socket) throws IOException {
        Future<?> end = closeAfter(requestTime, socket);
        try {
            JoinRequest.skipRest(session.getInputStream());
        } finally {
            end.cancel(false);
        }
    }

    private static Future<?> closeAfter(Duration time, Socket socket) {
        return WorkerTime.system()
                .schedule(
                        () -> {
                            try {
                                socket.close();
                            } catch (IOException _) {
                                // it is of no use either way
                            }
                        },
                        time.toNanos());
    }

    private void requireSecret(byte[] secret) throws JoinRefusedException {
        if (closed || !token.hasSecret(secret)) {
            throw new JoinRefusedException(
                    "the join token is not valid; a token is valid once, and the file that --join-token-file names at the first launcher has the current one");
        }
    }

    /**
     * Issue the certificates, one launcher at a time. The token is used up, and the ranks are
     * taken, when the launcher confirms that it has the certificates.
     */
    private void grant(JoinRequest request, SSLSocket session, DataOutputStream out)
            throws IOException {
        synchronized (granting) {
            requireSecret(request.secret());
            String ranks =
                    "ranks %d to %d"
                            .formatted(
                                    request.rankOffset(),
                                    request.rankOffset() + request.requests().size() - 1);
            try {
                List<String> certificates = sign(request);
                Future<?> end = closeAfter(REPLY_TIME, session);
                try {
                    JoinRequest.write(
                            out,
                            new JoinRequest.Reply(
                                    authority.identity(),
                                    groupToken,
                                    authority.trust(),
                                    certificates));
                    JoinRequest.readConfirmation(session.getInputStream());
                } finally {
                    end.cancel(false);
                }
            } catch (JoinRefusedException e) {
                throw e;
            } catch (IOException e) {
                messages.accept(
                        "gradwire: the launcher of %s has no certificates: %s; it may try again"
                                .formatted(ranks, e.getMessage()));
                throw e;
            }
            messages.accept("gradwire: the launcher of %s has certificates".formatted(ranks));
            authority.take(request);
            advance();
        }
    }

    private List<String> sign(JoinRequest request) throws IOException {
        try {
            return authority.sign(request);
        } catch (JoinRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw new JoinRefusedException("no certificate can be issued: " + e.getMessage());
        }
    }

    /** Make the next token valid, or close the service if it was the last one. */
    private void advance() {
        try {
            if (authority.isComplete()) {
                close();
            } else {
                token = JoinToken.random(authority.certificate());
                writeToken();
            }
        } catch (IOException e) {
            messages.accept(
                    "gradwire: further launchers cannot join, since %s: %s"
                            .formatted(tokens.failure(), e.getMessage()));
        }
    }

    /** Print a message, unless another one was printed shortly before. */
    private synchronized void report(String message) {
        long now = System.nanoTime();
        if (now - nextReportNanos >= 0) {
            nextReportNanos = now + REPORT_INTERVAL_NANOS;
            messages.accept(message);
        }
    }

    /**
     * Stop listening, and delete the join token and the key of the authority. Further calls have no
     * effect.
     */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            listening.close();
            tokens.remove();
            authority.close();
        }
    }
}
