package org.gradwire.launcher.secure;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.util.HashMap;
import java.util.Map;

/**
 * The certificates of the workers that a launcher starts.
 *
 * @param variables of each worker, by its rank, that name its files; empty without certificates
 */
public record RunCertificates(Map<Integer, Map<String, String>> variables) {

    /** {@return no certificates} */
    public static RunCertificates none() {
        return new RunCertificates(Map.of());
    }

    /**
     * {@return the certificates for the settings of workers}
     *
     * @param issued files by rank
     * @param identity pattern of the names in the certificates
     */
    static RunCertificates of(Map<Integer, Issued> issued, String identity) {
        Map<Integer, Map<String, String>> variables = new HashMap<>();
        issued.forEach((rank, files) -> variables.put(rank, variables(files, identity)));
        return new RunCertificates(variables);
    }

    private static Map<String, String> variables(Issued issued, String identity) {
        return Map.of(
                Settings.environmentName(Settings.CERTIFICATE), issued.certificate().toString(),
                Settings.environmentName(Settings.PRIVATE_KEY), issued.privateKey().toString(),
                Settings.environmentName(Settings.TRUST), issued.trust().toString(),
                Settings.environmentName(Settings.IDENTITY), identity);
    }

    /** {@return the variables of a worker} */
    public Map<String, String> of(int rank) {
        return variables.getOrDefault(rank, Map.of());
    }
}
