package org.gradwire.bench.tls;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The certificates of processes on several hosts, issued by an authority of the run. The one of a
 * rank names its worker, for Gradwire, and the address of its host, for gRPC.
 */
public record HostCertificates(List<Issued> byRank) {
    private static final String IDENTITY = "spiffe://gradwire/bench/{worker}";

    /**
     * Issue a certificate for each rank.
     *
     * @param folder for their files; only the user can enter it
     * @param workers their names, by rank
     * @param addresses of the hosts, by rank
     */
    public static HostCertificates issue(Path folder, List<String> workers, List<String> addresses)
            throws IOException {
        List<Issued> issued = new ArrayList<>();
        try (CertificateAuthority authority = CertificateAuthority.create(folder)) {
            for (int rank = 0; rank < addresses.size(); rank++) {
                String worker = workers.get(rank);
                String uri = IDENTITY.replace("{worker}", worker);
                String names = "san=uri:%s,ip:%s".formatted(uri, addresses.get(rank));
                issued.add(authority.issue(worker, null, "-ext", names));
            }
        }
        return new HostCertificates(List.copyOf(issued));
    }

    /** {@return the settings of a worker, with which it shows its certificate} */
    public List<String> settings(int rank) {
        Issued files = byRank.get(rank);
        return List.of(
                Settings.CERTIFICATE + "=" + files.certificate(),
                Settings.PRIVATE_KEY + "=" + files.privateKey(),
                Settings.TRUST + "=" + files.trust(),
                Settings.IDENTITY + "=" + IDENTITY);
    }
}
