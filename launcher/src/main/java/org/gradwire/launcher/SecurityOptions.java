package org.gradwire.launcher;

import org.gradwire.launcher.secure.CertificateSource;

import picocli.CommandLine.Option;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options for the certificates of the workers. */
final class SecurityOptions {
    private static final Pattern TCP = Pattern.compile("tcp://(.+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--secure",
            description =
                    "Give each worker a certificate of this run, so that no worker can act under"
                            + " the name of another over the network.")
    private boolean secure;

    @Option(
            names = "--join-token-file",
            paramLabel = "FILE",
            description =
                    "With --secure and several launchers: the first one writes a token to FILE,"
                            + " with which one other launcher gets certificates for its workers; copy"
                            + " FILE to it, and name it there with --join.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--join-port",
            paramLabel = "PORT",
            description =
                    "Port at which the first launcher gives certificates to others. Default: that"
                            + " of the rendezvous and 1.")
    private Optional<Integer> port = Optional.empty();

    boolean isSecure() {
        return secure;
    }

    /** Validate the options; {@return the source of the workers' certificates} */
    CertificateSource source(World world, boolean joins) {
        if (!secure) {
            if (tokenFile.isPresent() || port.isPresent()) {
                throw new LauncherException("--join-token-file and --join-port need --secure");
            }
            return new CertificateSource.None();
        }
        if (world.isComplete()) {
            return new CertificateSource.OwnAuthority();
        }
        Path file =
                tokenFile
                        .orElseThrow(() ->
                                new LauncherException(
                                        "--secure with several launchers needs --join-token-file FILE: the first launcher writes a token to it, and each other one needs a copy; or issue a certificate for each worker yourself, and name its files with GRADWIRE_CERTIFICATE, GRADWIRE_PRIVATE_KEY, GRADWIRE_TRUST and GRADWIRE_IDENTITY instead of --secure"))
                        .toAbsolutePath();
        InetSocketAddress service = service(world.rendezvous().orElse(""));
        return joins
                ? new CertificateSource.OtherLauncher(service, file)
                : new CertificateSource.SharedAuthority(listening(service), Optional.of(file));
    }

    /** {@return the source of the certificates of a part of a group on several hosts} */
    CertificateSource source(World world, HostPart part) {
        if (!secure) {
            return new CertificateSource.None();
        }
        if (world.isComplete()) {
            return new CertificateSource.OwnAuthority();
        }
        InetSocketAddress service = service(part.rendezvous());
        return world.rankOffset() == 0
                ? new CertificateSource.SharedAuthority(listening(service), Optional.empty())
                : new CertificateSource.Invited(service, part.secret());
    }

    private InetSocketAddress service(String rendezvous) {
        Matcher tcp = TCP.matcher(rendezvous);
        if (!tcp.matches()) {
            throw new LauncherException(
                    "--secure with several launchers needs --rendezvous tcp://HOST:PORT, not '%s'"
                            .formatted(rendezvous));
        }
        int joinPort = port.orElseGet(() -> Integer.parseInt(tcp.group(2)) + 1);
        if (joinPort < 1 || joinPort > MAX_PORT) {
            throw new LauncherException("--join-port %d is not a port".formatted(joinPort));
        }
        return InetSocketAddress.createUnresolved(tcp.group(1), joinPort);
    }

    /**
     * {@return the address to bind: loopback for a loopback name, else all interfaces, since the
     * host's own name may resolve to an address that others cannot reach}
     */
    private static InetSocketAddress listening(InetSocketAddress service) {
        try {
            InetAddress address = InetAddress.getByName(service.getHostString());
            return address.isLoopbackAddress()
                    ? new InetSocketAddress(address, service.getPort())
                    : new InetSocketAddress(service.getPort());
        } catch (UnknownHostException _) {
            throw new LauncherException(
                    "the host '%s' of the rendezvous is unknown"
                            .formatted(service.getHostString()));
        }
    }
}
