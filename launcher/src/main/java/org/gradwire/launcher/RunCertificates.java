package org.gradwire.launcher;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The certificates of the workers of a run, from an authority whose key is deleted before they
 * start.
 *
 * @param variables of each worker, by its rank, that name its files; empty without certificates
 */
record RunCertificates(Map<Integer, Map<String, String>> variables) {
    private static final String FOLDER = "certificates";

    static RunCertificates none() {
        return new RunCertificates(Map.of());
    }

    /**
     * Issue a certificate for each worker, for {@code spiffe://gradwire/RUN/NAME}.
     *
     * @param runId id of the run
     * @param directory of the run, deleted at its end
     */
    static RunCertificates issue(World world, String runId, RunDirectory directory)
            throws IOException {
        String group = "spiffe://gradwire/" + runId + "/";
        Map<Integer, Map<String, String>> variables = new HashMap<>();
        try (CertificateAuthority authority =
                CertificateAuthority.create(directory.createFolder(FOLDER))) {
            for (int rank : world.ranks()) {
                Issued issued = authority.issue("rank" + rank, group + world.name(rank));
                variables.put(rank, variables(issued, group + "{worker}"));
            }
        }
        return new RunCertificates(variables);
    }

    private static Map<String, String> variables(Issued issued, String identity) {
        return Map.of(
                variable(Settings.CERTIFICATE), text(issued.certificate()),
                variable(Settings.PRIVATE_KEY), text(issued.privateKey()),
                variable(Settings.TRUST), text(issued.trust()),
                variable(Settings.IDENTITY), identity);
    }

    private static String variable(String setting) {
        return Settings.environmentName(setting);
    }

    private static String text(Path file) {
        return file.toString();
    }

    /** {@return the variables of a worker} */
    Map<String, String> of(int rank) {
        return variables.getOrDefault(rank, Map.of());
    }
}
