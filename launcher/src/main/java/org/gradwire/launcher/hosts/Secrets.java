package org.gradwire.launcher.hosts;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/** The secrets of a group on several hosts. */
final class Secrets {
    private static final int RANDOM_BYTES = 32;
    private static final String VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN";

    private Secrets() {}

    /** {@return 256 random bits as one word} */
    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Remove the user's secret, since configurations of {@code ssh} may pass variables on. */
    static void removeFrom(Map<String, String> environment) {
        environment.remove(VARIABLE);
    }
}
