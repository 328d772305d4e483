package org.gradwire.launcher.secure;

import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;

/**
 * The authority of a run. It issues one certificate for each rank, of the identity {@code
 * spiffe://gradwire/RUN/NAME}, and its key is deleted when all have one. Thread-safe.
 */
public final class RunAuthority implements AutoCloseable {
    private static final String SERVICE = "launcher";
    private static final String SERVICE_PATH =
            "/launcher/join"; // no worker has a name with a slash

    private final CertificateAuthority authority;
    private final String group;
    private final Map<Integer, String> names;
    private final String namePrefix;
    private final Set<Integer> taken = ConcurrentHashMap.newKeySet();

    private RunAuthority(
            CertificateAuthority authority,
            String runId,
            Map<Integer, String> names,
            String namePrefix) {
        this.authority = authority;
        group = "spiffe://gradwire/" + runId + "/";
        this.names = Map.copyOf(names);
        this.namePrefix = namePrefix;
    }

    /**
     * Create an authority.
     *
     * @param directory for its files, deleted at the end of the run
     * @param names of all workers of the group, by rank
     * @param namePrefix prefix of the rank in a name
     */
    public static RunAuthority create(
            Path directory, String runId, Map<Integer, String> names, String namePrefix)
            throws IOException {
        return new RunAuthority(CertificateAuthority.create(directory), runId, names, namePrefix);
    }

    /** Issue the certificates of the workers that this launcher starts. */
    public synchronized RunCertificates issue(List<Integer> ranks) throws IOException {
        Map<Integer, Issued> issued = new HashMap<>();
        for (int rank : ranks) {
            issued.put(rank, authority.issue("rank" + rank, uri(rank)));
        }
        take(ranks);
        return RunCertificates.of(issued, identity());
    }

    private String uri(int rank) {
        return group + names.get(rank);
    }

    /** {@return the pattern of the identities} */
    String identity() {
        return group + "{worker}";
    }

    /** Take the ranks of a launcher that has its certificates: they get no others. */
    synchronized void take(JoinRequest request) throws IOException {
        take(ranks(request));
    }

    private void take(List<Integer> ranks) throws IOException {
        taken.addAll(ranks);
        if (isComplete()) {
            authority.close();
        }
    }

    /** {@return whether all ranks have certificates} */
    boolean isComplete() {
        return taken.size() == names.size();
    }

    /** {@return the number of ranks without certificates} */
    int missing() {
        return names.size() - taken.size();
    }

    /**
     * Issue the certificates of the workers of another launcher. Their ranks are not taken yet.
     *
     * @throws JoinRefusedException when the group has other workers, or a rank has a certificate
     */
    synchronized List<String> sign(JoinRequest request) throws IOException {
        List<Integer> ranks = ranks(request);
        List<String> certificates = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            int rank = ranks.get(i);
            certificates.add(authority.sign(request.requests().get(i), "rank" + rank, uri(rank)));
        }
        return certificates;
    }

    private List<Integer> ranks(JoinRequest request) throws JoinRefusedException {
        if (request.worldSize() != names.size() || !request.namePrefix().equals(namePrefix)) {
            throw new JoinRefusedException(
                    "the group has --world-size %d and --name-prefix '%s'"
                            .formatted(names.size(), namePrefix));
        }
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < request.requests().size(); i++) {
            int rank = request.rankOffset() + i;
            if (!names.containsKey(rank)) {
                throw new JoinRefusedException("the group has no rank %d".formatted(rank));
            }
            if (taken.contains(rank)) {
                throw new JoinRefusedException(
                        "rank %d has a certificate already; choose another --rank-offset"
                                .formatted(rank));
            }
            ranks.add(rank);
        }
        return ranks;
    }

    /** {@return the authority's certificate, PEM} */
    String trust() throws IOException {
        return Files.readString(authority.trust());
    }

    /** {@return the authority's certificate} */
    X509Certificate certificate() throws IOException {
        try {
            var pem = new ByteArrayInputStream(trust().getBytes(StandardCharsets.US_ASCII));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(pem);
        } catch (CertificateException e) {
            throw new IOException("the authority's certificate cannot be read", e);
        }
    }

    /** Issue a certificate for the join service; {@return its TLS context} */
    synchronized SSLContext serviceContext() throws IOException {
        String uri = group.substring(0, group.length() - 1) + SERVICE_PATH;
        Files.delete(authority.issue(SERVICE, uri).privateKey()); // the context has it
        return authority.serverContext(SERVICE);
    }

    /** {@return whether a subject alternative name is that of the join service} */
    static boolean isService(Object name) {
        return name instanceof String uri && uri.endsWith(SERVICE_PATH);
    }

    /** Delete the authority's key. */
    @Override
    public void close() throws IOException {
        authority.close();
    }
}
