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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Issues the certificates of the workers of launchers on other machines, over TLS. A launcher needs
 * the join token in a file, which is valid for one; then the file gets the next token, until all
 * workers of the group have certificates.
 */
public final class JoinService implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 64;
    private static final Duration READING_TIME = Duration.ofSeconds(10);
    private static final int BACKLOG = 16;

    private final RunAuthority authority;
    private final String groupToken;
    private final Path tokenFile;
    private final Consumer<String> messages;
    private final ServerSocket listening;
    private final SSLContext tls;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);
    private JoinToken token; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Start the service.
     *
     * @param address at which it listens
     * @param groupToken which launchers that join receive
     * @param tokenFile receives the join token
     * @param messages for the user
     */
    public static JoinService start(
            RunAuthority authority,
            InetSocketAddress address,
            String groupToken,
            Path tokenFile,
            Consumer<String> messages)
            throws IOException {
        SSLContext tls = authority.serviceContext();
        var listening = new ServerSocket();
        try {
            listening.setReuseAddress(true);
            listening.bind(address, BACKLOG);
            var service =
                    new JoinService(authority, groupToken, tokenFile, messages, listening, tls);
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
            Path tokenFile,
            Consumer<String> messages,
            ServerSocket listening,
            SSLContext tls)
            throws IOException {
        this.authority = authority;
        this.groupToken = groupToken;
        this.tokenFile = tokenFile;
        this.messages = messages;
        this.listening = listening;
        this.tls = tls;
        token = JoinToken.random(authority.certificate());
    }

    private synchronized void writeToken() throws IOException {
        token.write(tokenFile);
        messages.accept(
                "gradwire: workers of the group that have no certificate yet: %d; their launcher needs the join token in %s, which is valid once"
                        .formatted(authority.missing(), tokenFile));
    }

    private void accept() {
        try (listening) {
            while (!authority.isComplete()) {
                Socket socket = listening.accept();
                if (connections.tryAcquire()) {
                    Thread.ofVirtual().name("gradwire-join").start(() -> serve(socket));
                } else {
                    socket.close();
                }
            }
        } catch (IOException e) {
            if (!isClosed()) {
                messages.accept("gradwire: launchers can no longer join: " + e.getMessage());
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed || authority.isComplete();
    }

    private void serve(Socket socket) {
        Future<?> end =
                WorkerTime.system().schedule(() -> closeQuietly(socket), READING_TIME.toNanos());
        try (socket;
                var session =
                        (SSLSocket)
                                tls.getSocketFactory()
                                        .createSocket(socket, null, socket.getPort(), true)) {
            session.setUseClientMode(false);
            session.startHandshake();
            var in = new DataInputStream(session.getInputStream());
            var out = new DataOutputStream(session.getOutputStream());
            try {
                JoinRequest request = JoinRequest.read(in, this::requireSecret);
                end.cancel(false);
                JoinRequest.write(out, grant(request, socket.getInetAddress()));
            } catch (JoinRefusedException e) {
                messages.accept(
                        "gradwire: a launcher at %s may not join: %s"
                                .formatted(
                                        socket.getInetAddress().getHostAddress(),
                                        UntrustedText.quote(String.valueOf(e.getMessage()))));
                JoinRequest.writeRefusal(out, String.valueOf(e.getMessage()));
            }
        } catch (IOException _) {
            // A stranger, or a launcher that has ended.
        } finally {
            end.cancel(false);
            connections.release();
        }
    }

    private synchronized void requireSecret(byte[] secret) throws JoinRefusedException {
        if (!token.hasSecret(secret)) {
            throw new JoinRefusedException(
                    "the join token is not valid; a token is valid once, and the file that --join-token-file names at the first launcher has the current one");
        }
    }

    /** Issue the certificates, unless the token was used meanwhile; the next token is another. */
    private synchronized JoinRequest.Reply grant(JoinRequest request, InetAddress from)
            throws IOException {
        requireSecret(request.secret());
        List<String> certificates = authority.sign(request);
        messages.accept(
                "gradwire: the launcher at %s has certificates for ranks %d to %d"
                        .formatted(
                                from.getHostAddress(),
                                request.rankOffset(),
                                request.rankOffset() + certificates.size() - 1));
        if (authority.isComplete()) {
            close();
        } else {
            token = JoinToken.random(authority.certificate());
            writeToken();
        }
        return new JoinRequest.Reply(
                authority.identity(), groupToken, authority.trust(), certificates);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // it is of no use either way
        }
    }

    /** Stop listening, and delete the join token. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        listening.close();
        Files.deleteIfExists(tokenFile);
    }
}
