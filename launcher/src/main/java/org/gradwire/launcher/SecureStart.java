package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.secure.CertificateSource;
import org.gradwire.launcher.secure.JoinClient;
import org.gradwire.launcher.secure.JoinService;
import org.gradwire.launcher.secure.RunAuthority;
import org.gradwire.launcher.secure.RunCertificates;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The certificates and the token of the workers of a run, and the service by which other launchers
 * get theirs.
 *
 * @param service null if no other launcher joins this one
 */
record SecureStart(RunCertificates certificates, GroupToken token, @Nullable JoinService service)
        implements AutoCloseable {
    private static final String FOLDER = "certificates";

    /** Make or get the certificates. */
    static SecureStart of(GroupPlan plan, RunDirectory directory, Console console)
            throws IOException {
        return switch (plan.certificates()) {
            case CertificateSource.None _ ->
                    new SecureStart(RunCertificates.none(), plan.token(), null);
            case CertificateSource.OwnAuthority _ -> {
                try (RunAuthority authority = authority(plan, directory)) {
                    yield new SecureStart(
                            authority.issue(plan.world().ranks()), plan.token(), null);
                }
            }
            case CertificateSource.SharedAuthority shared ->
                    share(plan, shared, directory, console);
            case CertificateSource.OtherLauncher other ->
                    join(plan, new JoinClient(other.service(), other.tokenFile()), directory);
            case CertificateSource.Invited(InetSocketAddress service, String joinToken) ->
                    join(plan, JoinClient.invited(service, joinToken), directory);
        };
    }

    private static RunAuthority authority(GroupPlan plan, RunDirectory directory)
            throws IOException {
        World world = plan.world();
        Map<Integer, String> names =
                IntStream.range(0, world.worldSize())
                        .boxed()
                        .collect(Collectors.toMap(Function.identity(), world::name));
        return RunAuthority.create(
                directory.createFolder(FOLDER), plan.runId(), names, world.namePrefix());
    }

    private static SecureStart share(
            GroupPlan plan,
            CertificateSource.SharedAuthority shared,
            RunDirectory directory,
            Console console)
            throws IOException {
        RunAuthority authority = authority(plan, directory);
        RunCertificates own = authority.issue(plan.world().ranks());
        String token = text(plan.token());
        JoinService service =
                shared.tokenFile().isPresent()
                        ? JoinService.start(
                                authority,
                                shared.address(),
                                token,
                                shared.tokenFile().get(),
                                console::message)
                        : JoinService.start(
                                authority,
                                shared.address(),
                                token,
                                joinToken -> console.event("join " + joinToken),
                                console::message);
        return new SecureStart(own, plan.token(), service);
    }

    private static String text(GroupToken token) throws IOException {
        return switch (token) {
            case GroupToken.InFile(Path file) ->
                    Files.readString(file).replaceFirst("\\R\\z", ""); // as workers read it
            case GroupToken.Text(String secret) -> secret;
            case GroupToken.None _ -> throw new IllegalStateException("--secure makes a token");
        };
    }

    private static SecureStart join(GroupPlan plan, JoinClient client, RunDirectory directory)
            throws IOException {
        World world = plan.world();
        Path folder = directory.createFolder(FOLDER);
        JoinClient.Joined joined =
                Interruptible.call(() ->
                        client.join(folder, world.worldSize(), world.ranks(), world.namePrefix()));
        return new SecureStart(
                joined.certificates(), new GroupToken.Text(joined.groupToken()), null);
    }

    @Override
    public void close() throws IOException {
        if (service != null) {
            service.close();
        }
    }
}
