package org.gradwire.launcher;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The secret shared by the workers of a group. Its text is never printed. */
sealed interface GroupToken {

    /** The environment variable of a token as text, which the launcher passes to no process. */
    String VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN";

    /** The environment variable that names a token file. */
    String FILE_VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN_FILE";

    /** A token in a file of the user. */
    record InFile(Path file) implements GroupToken {}

    /** A token that the launcher writes to a file of the run. */
    record Text(String secret) implements GroupToken {
        private static final int RANDOM_BYTES = 32;

        /** Create a token of 256 random bits. */
        static Text random() {
            byte[] bytes = new byte[RANDOM_BYTES];
            new SecureRandom().nextBytes(bytes);
            return new Text(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }

        @Override
        public String toString() {
            return "Text[***]";
        }
    }

    /** No token, as the user has chosen. */
    record None() implements GroupToken {}
}
