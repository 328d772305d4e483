package org.gradwire.launcher;

import org.gradwire.launcher.hosts.Host;

import picocli.CommandLine.Option;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of {@code gradwire hosts} itself. */
final class HostsOptions {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = {"-n", "--workers"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Workers on each host without a number. Default: ${DEFAULT-VALUE}.")
    private int workers = 1;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "The directory of Gradwire on each host, in which ./gradwire is; relative to the"
                            + " home directory there. Default: that of this Gradwire.")
    private Optional<String> directory = Optional.empty();

    @Option(
            names = "--ssh",
            paramLabel = "COMMAND",
            defaultValue = "ssh",
            description =
                    "The command that reaches a host, with its options separated by spaces: \"ssh -p"
                            + " 2222\". Default: ${DEFAULT-VALUE}, with ~/.ssh/config.")
    private String ssh = "ssh";

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description =
                    "Name or address of the first host for workers on the others. Default: as in the"
                            + " list.")
    private Optional<String> address = Optional.empty();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "Port of the rendezvous on the first host; with --secure launchers join at the"
                            + " next one. Default: one that is free there.")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--name-prefix",
            paramLabel = "TEXT",
            description = "A worker's name is this and its rank. Default: worker.")
    private Optional<String> namePrefix = Optional.empty();

    @Option(
            names = "--secure",
            description = "Give each worker a certificate of this run, as in gradwire run.")
    private boolean secure;

    int workers() {
        if (workers < 1 || workers > Short.MAX_VALUE) {
            throw new LauncherException(
                    "--workers %d must be from 1 to %d: the workers on each host"
                            .formatted(workers, Short.MAX_VALUE));
        }
        return workers;
    }

    String directory() {
        return directory
                .or(() -> Optional.ofNullable(System.getProperty(HostsCommand.DIRECTORY_PROPERTY)))
                .filter(name -> !name.isBlank())
                .orElseThrow(() ->
                        new LauncherException(
                                "the directory of Gradwire on the hosts is not known: add --directory DIR"));
    }

    List<String> ssh() {
        if (ssh.isBlank()) {
            throw new LauncherException("--ssh '' must be a command, such as \"ssh -p 2222\"");
        }
        List<String> command = List.of(ssh.strip().split("\\s+"));
        if (!isProgram(command.getFirst())) {
            throw new LauncherException(
                    "there is no program '%s' on this machine: install OpenSSH, or name its client with --ssh"
                            .formatted(command.getFirst()));
        }
        return command;
    }

    private static boolean isProgram(String name) {
        return name.contains("/")
                ? Files.isExecutable(Path.of(name))
                : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** {@return the address of the rendezvous} */
    String address(Host first) {
        String chosen = address.orElse(first.address());
        if (!Host.isAddress(chosen)) {
            throw new LauncherException(
                    "--address '%s' must be the name or the address of the first host, without user and port"
                            .formatted(chosen));
        }
        return chosen;
    }

    /** {@return the port of the rendezvous; 0 if the first host chooses one} */
    int port() {
        int last = secure ? MAX_PORT - 1 : MAX_PORT;
        if (port.isPresent() && (port.get() < 1 || port.get() > last)) {
            throw new LauncherException(
                    "--port %d must be from 1 to %d".formatted(port.get(), last));
        }
        return port.orElse(0);
    }

    boolean isSecure() {
        return secure;
    }

    /** {@return the options for each launcher} */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        namePrefix.ifPresent(text -> arguments.add("--name-prefix=" + text));
        if (secure) {
            arguments.add("--secure");
        }
        return arguments;
    }
}
