package org.gradwire.launcher.secure;

import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.gradwire.spi.crypto.CertificateRequest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
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
    private static final Duration CONNECT_TIME = Duration.ofSeconds(60);
    private static final int ATTEMPT_MILLIS = 5_000;
    private static final int PAUSE_MILLIS = 200;
    private static final int READ_MILLIS = 120_000; // a certificate takes half a second

    private final InetSocketAddress service;
    private final JoinToken token;

    /**
     * Create a client.
     *
     * @param tokenFile that the other launcher wrote
     */
    public JoinClient(InetSocketAddress service, Path tokenFile) throws IOException {
        this.service = service;
        token = JoinToken.read(tokenFile);
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
        JoinRequest.Reply reply = ask(request);
        Map<Integer, Issued> issued = new HashMap<>();
        for (int i = 0; i < ranks.size(); i++) {
            issued.put(
                    ranks.get(i),
                    requests.get(i).write(reply.certificates().get(i), reply.authority()));
        }
        return new Joined(RunCertificates.of(issued, reply.identity()), reply.token());
    }

    private JoinRequest.Reply ask(JoinRequest request) throws IOException {
        try (SSLSocket socket = connect()) {
            request.write(new DataOutputStream(socket.getOutputStream()));
            return request.readReply(new DataInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new IOException(
                    "cannot join the launcher at %s: %s".formatted(service, e.getMessage()), e);
        }
    }

    /** Connect, again while the service has not started or has too many connections. */
    private SSLSocket connect() throws IOException {
        SSLSocketFactory factory = context().getSocketFactory();
        long start = System.nanoTime();
        while (true) {
            var plain = new Socket();
            try {
                plain.connect(
                        new InetSocketAddress(service.getHostString(), service.getPort()),
                        ATTEMPT_MILLIS);
                plain.setSoTimeout(READ_MILLIS);
                var socket = (SSLSocket) factory.createSocket(plain, null, plain.getPort(), true);
                socket.startHandshake();
                return socket;
            } catch (SocketException | EOFException e) {
                plain.close();
                if (System.nanoTime() - start > CONNECT_TIME.toNanos()) {
                    throw e;
                }
                pause();
            } catch (IOException e) {
                plain.close();
                throw e;
            }
        }
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
