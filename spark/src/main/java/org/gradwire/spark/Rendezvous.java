package org.gradwire.spark;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * The place at which the workers of a group meet, on the host of rank 0.
 *
 * @param port 0 if the launcher is to choose it
 * @param secret token of the group
 */
record Rendezvous(int port, String secret) {
    private static final int RANDOM_BYTES = 32;

    /** {@return 256 random bits as one word} */
    static String randomSecret() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** {@return the host in the address {@code host:port} of a task} */
    static String host(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    /** {@return a text for the other tasks} */
    String text() {
        return port + " " + secret;
    }

    static Rendezvous parse(String text) {
        String[] words = text.split(" ", 2);
        return new Rendezvous(Integer.parseInt(words[0]), words[1]);
    }

    @Override
    public String toString() {
        return "Rendezvous[" + port + "]";
    }
}
