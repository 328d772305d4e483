package org.gradwire.launcher.secure;

import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.gradwire.spi.crypto.CertificateRequest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** Gets certificates for the workers of this launcher from the {@link JoinService} of another. */
public final class JoinClient {
    static final String[] PROTOCOLS = {"TLSv1.3"};

    private static final Duration CONNECT_TIME = Duration.ofSeconds(60);
    private static final int ATTEMPT_MILLIS = 5_000;
    private static final int PAUSE_MILLIS = 200;
    private static final int MILLIS_OF_A_CERTIFICATE = 2_000; // half a second, and busy cores

    private final InetSocketAddress service;
    private final JoinToken token;

    /**
     * Create a client.
     *
     * @param tokenFile that the other launcher wrote
     */
    public JoinClient(InetSocketAddress service, Path tokenFile) throws IOException {
        this(service, JoinToken.read(tokenFile));
    }

    private JoinClient(InetSocketAddress service, JoinToken token) {
        this.service = service;
        this.token = token;
    }

    /** {@return a client with a join token that the other launcher has reported} */
    public static JoinClient invited(InetSocketAddress service, String joinToken)
            throws IOException {
        try {
            return new JoinClient(service, JoinToken.parse(joinToken));
        } catch (IllegalArgumentException e) {
            throw new IOException("the join token from standard input is not valid", e);
        }
    }

    /**
     * The reply of the join service.
     *
     * @param groupToken of the group
     */
    public record Joined(RunCertificates certificates, String groupToken) {}

    /**
     * Get the certificates.
     *
     * @param directory for the files, which only the user can enter
     * @param ranks of the workers that this launcher starts
     * @throws IOException if the other launcher cannot be reached in a minute, is not the one that
     *     wrote the token, or refuses
     */
    public Joined join(Path directory, int worldSize, List<Integer> ranks, String namePrefix)
            throws IOException {
        List<CertificateRequest> requests = new ArrayList<>();
        for (int rank : ranks) {
            requests.add(CertificateRequest.create(directory, "rank" + rank));
        }
        var request =
                new JoinRequest(
                        token.secret(),
                        worldSize,
                        ranks.getFirst(),
                        namePrefix,
                        requests.stream().map(CertificateRequest::text).toList());
        try (SSLSocket socket = connect()) {
            // Other launchers may get theirs before.
            socket.setSoTimeout(
                    (int) CONNECT_TIME.toMillis() + worldSize * MILLIS_OF_A_CERTIFICATE);
            request.write(new DataOutputStream(socket.getOutputStream()));
            JoinRequest.Reply reply =
                    request.readReply(new DataInputStream(socket.getInputStream()));
            Map<Integer, Issued> issued = new HashMap<>();
            for (int i = 0; i < ranks.size(); i++) {
                issued.put(
                        ranks.get(i),
                        requests.get(i).write(reply.certificates().get(i), reply.authority()));
            }
            socket.getOutputStream().write(JoinRequest.CONFIRMED);
            return new Joined(RunCertificates.of(issued, reply.identity()), reply.token());
        } catch (EOFException e) {
            throw cannotJoin("it closed the connection; its output has the reason", e);
        } catch (IOException e) {
            throw cannotJoin(String.valueOf(e.getMessage()), e);
        }
    }

    private IOException cannotJoin(String reason, IOException cause) {
        return new IOException(
                "cannot join the launcher at %s: %s".formatted(service, reason), cause);
    }

    /**
     * Connect, again while the service has not started or has too many connections, for a minute. A
     * service with another authority is not tried again.
     */
    private SSLSocket connect() throws IOException {
        SSLSocketFactory factory = context().getSocketFactory();
        long start = System.nanoTime();
        while (true) {
            var plain = new Socket();
            try {
                plain.connect(
                        new InetSocketAddress(service.getHostString(), service.getPort()),
                        ATTEMPT_MILLIS);
                plain.setSoTimeout(ATTEMPT_MILLIS);
                var socket = (SSLSocket) factory.createSocket(plain, null, plain.getPort(), true);
                socket.setEnabledProtocols(PROTOCOLS);
                socket.startHandshake();
                return socket;
            } catch (IOException e) {
                plain.close();
                boolean isOver = System.nanoTime() - start > CONNECT_TIME.toNanos();
                if (isOver || isRefusedCertificate(e)) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static boolean isRefusedCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }

    private SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(null, new TrustManager[] {new PinnedAuthority(token)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available", e);
        }
    }
}
