package org.gradwire.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The file with the token of a run's group.
 *
 * @param environment variable that names it; empty without a token
 * @param temporary file to delete at the end; empty if it is the user's
 */
record TokenFile(Map<String, String> environment, Optional<Path> temporary)
        implements AutoCloseable {

    /** Provide a token in a file: the user's, or a new one in the run's directory. */
    static TokenFile provide(GroupToken token, RunDirectory directory) throws IOException {
        return switch (token) {
            case GroupToken.InFile(Path file) -> of(file, Optional.empty());
            case GroupToken.Text(String secret) -> {
                Path file = directory.write("token", secret + "\n");
                yield of(file, Optional.of(file));
            }
            case GroupToken.None _ -> new TokenFile(Map.of(), Optional.empty());
        };
    }

    private static TokenFile of(Path file, Optional<Path> temporary) {
        return new TokenFile(Map.of(GroupToken.FILE_VARIABLE, file.toString()), temporary);
    }

    @Override
    public void close() throws IOException {
        if (temporary.isPresent()) {
            Files.deleteIfExists(temporary.get());
        }
    }
}
