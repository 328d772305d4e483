package org.gradwire.launcher;

import picocli.CommandLine.Option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The option for the group's token, and the other sources of a token. */
final class TokenOptions {
    private static final int MIN_LENGTH = 16;
    private static final String PROPERTY = "-Dgradwire.authentication-token=";
    private static final String FILE_PROPERTY = "-Dgradwire.authentication-token-file=";
    private static final String INSECURE_VARIABLE = "GRADWIRE_INSECURE";
    private static final String INSECURE_PROPERTY = "-Dgradwire.insecure=true";
    private static final String REMEDY =
            "make a file with a token, ./gradwire token FILE, and add --token-file FILE";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the secret that all workers of the group share, the same on each"
                            + " machine; ./gradwire token makes one. Default: a new secret for a"
                            + " group that is all on this machine.")
    private Optional<Path> tokenFile = Optional.empty();

    /** Refuse a token in a command line, which every user of the machine can read. */
    static void refuseVisibleToken(Map<String, String> environment, List<String> jvmArgs) {
        boolean inEnvironment =
                environment.containsKey(GroupToken.VARIABLE)
                        || environment.values().stream().anyMatch(text -> text.contains(PROPERTY));
        if (inEnvironment || jvmArgs.stream().anyMatch(arg -> arg.contains(PROPERTY))) {
            throw new LauncherException(
                    (inEnvironment ? "--env" : "--jvm-arg")
                            + " with a token shows it to every user of this machine, as part of a"
                            + " command line; make a new one: "
                            + REMEDY);
        }
    }

    /** {@return whether the user has named a file} */
    boolean isGiven() {
        return tokenFile.isPresent();
    }

    /**
     * Find or create the token of a group.
     *
     * @param environment of the launcher, with the user's additions for the workers
     * @param isSecure whether launchers that join receive it with their certificates
     */
    GroupToken token(
            World world, Map<String, String> environment, List<String> jvmArgs, boolean isSecure) {
        String text = environment.getOrDefault(GroupToken.VARIABLE, "");
        Optional<Path> file = tokenFile.or(() -> configuredFile(environment, jvmArgs, text));
        if (file.isPresent()) {
            return inFile(file.get());
        }
        if (!text.isBlank()) {
            return text(text);
        }
        if (world.isComplete() || isSecure) {
            return GroupToken.Text.random();
        }
        if (isInsecure(environment, jvmArgs)) {
            return new GroupToken.None();
        }
        throw new LauncherException(
                "a group of several launchers needs a token, the same for all of them: "
                        + REMEDY
                        + " to each command, after copying the file to the other machines (scp -p)."
                        + " In a network where every host is trusted, --env GRADWIRE_INSECURE=true"
                        + " permits a group without a token");
    }

    private static Optional<Path> configuredFile(
            Map<String, String> environment, List<String> jvmArgs, String text) {
        Optional<Path> file =
                jvmArgs.stream()
                        .filter(arg -> arg.startsWith(FILE_PROPERTY))
                        .reduce((_, last) -> last)
                        .map(arg -> arg.substring(FILE_PROPERTY.length()))
                        .or(() -> Optional.ofNullable(environment.get(GroupToken.FILE_VARIABLE)))
                        .filter(name -> !name.isBlank())
                        .map(Path::of);
        if (file.isPresent() && !text.isBlank()) {
            throw new LauncherException(
                    "both %s and %s are set: unset one of them"
                            .formatted(GroupToken.VARIABLE, GroupToken.FILE_VARIABLE));
        }
        return file;
    }

    private static GroupToken inFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new LauncherException(
                    "the token file %s %s: make it with ./gradwire token %s"
                            .formatted(
                                    file,
                                    Files.exists(file) ? "is not a file" : "does not exist",
                                    file));
        }
        return new GroupToken.InFile(file.toAbsolutePath());
    }

    private static GroupToken text(String text) {
        if (text.length() < MIN_LENGTH) {
            throw new LauncherException(
                    "the token in %s has %d characters and can be guessed, at least %d are needed: %s"
                            .formatted(GroupToken.VARIABLE, text.length(), MIN_LENGTH, REMEDY));
        }
        return new GroupToken.Text(text);
    }

    private static boolean isInsecure(Map<String, String> environment, List<String> jvmArgs) {
        return environment.getOrDefault(INSECURE_VARIABLE, "").strip().equalsIgnoreCase("true")
                || jvmArgs.contains(INSECURE_PROPERTY);
    }
}
