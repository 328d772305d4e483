package org.gradwire.launcher.secure;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The source of the certificates of a launcher's workers. */
public sealed interface CertificateSource {

    /** They have none, or the user has made them. */
    record None() implements CertificateSource {}

    /** An authority of this launcher, which starts all workers of the group. */
    record OwnAuthority() implements CertificateSource {}

    /**
     * An authority of this launcher, from which other launchers get certificates too.
     *
     * @param address at which they join
     * @param tokenFile to which the join token is written
     */
    record SharedAuthority(InetSocketAddress address, Path tokenFile)
            implements CertificateSource {}

    /**
     * The authority of another launcher.
     *
     * @param service at which to join
     * @param tokenFile with the join token
     */
    record OtherLauncher(InetSocketAddress service, Path tokenFile) implements CertificateSource {}
}
