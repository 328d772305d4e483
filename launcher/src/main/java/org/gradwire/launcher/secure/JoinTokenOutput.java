package org.gradwire.launcher.secure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Passes the join tokens of a {@link JoinService} on to the other launchers. */
interface JoinTokenOutput {

    /** Pass on the next token, which replaces the last one. */
    void next(JoinToken token, int missing) throws IOException;

    /** Remove the last token. */
    void remove() throws IOException;

    /** {@return the cause of a failed {@link #next}, for an error message} */
    String failure();

    /**
     * {@return an output to a file that only the user can read}
     *
     * @param messages receives a sentence for the user after each token
     * @throws IOException if the file exists
     */
    static JoinTokenOutput toFile(Path file, Consumer<String> messages) throws IOException {
        if (Files.exists(file)) {
            throw new IOException(
                    "the join token would replace %s, which exists: delete it, or name another file"
                            .formatted(file));
        }
        return new JoinTokenOutput() {
            @Override
            public void next(JoinToken token, int missing) throws IOException {
                token.write(file);
                messages.accept(
                        "gradwire: workers of the group that have no certificate yet: %d; their launcher needs the join token in %s, which is valid once"
                                .formatted(missing, file));
            }

            @Override
            public void remove() throws IOException {
                Files.deleteIfExists(file);
            }

            @Override
            public String failure() {
                return file + " cannot be written";
            }
        };
    }

    /** {@return an output to a program that gives each token to one launcher} */
    static JoinTokenOutput toProgram(Consumer<String> tokens) {
        return new JoinTokenOutput() {
            @Override
            public void next(JoinToken token, int missing) {
                tokens.accept(token.text());
            }

            @Override
            public void remove() {}

            @Override
            public String failure() {
                return "the join token cannot be passed on";
            }
        };
    }
}
