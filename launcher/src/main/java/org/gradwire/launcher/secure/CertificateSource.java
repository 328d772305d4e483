package org.gradwire.launcher.secure;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

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
     * @param tokenFile to which the join token is written; empty to report it to the program that
     *     controls this launcher
     */
    record SharedAuthority(InetSocketAddress address, Optional<Path> tokenFile)
            implements CertificateSource {}

    /**
     * The authority of another launcher.
     *
     * @param service at which to join
     * @param tokenFile with the join token
     */
    record OtherLauncher(InetSocketAddress service, Path tokenFile) implements CertificateSource {}

    /**
     * The authority of another launcher, to which the program that controls this launcher has the
     * join token.
     *
     * @param service at which to join
     */
    record Invited(InetSocketAddress service, String joinToken) implements CertificateSource {
        @Override
        public String toString() {
            return "Invited[" + service + ", ***]";
        }
    }
}
