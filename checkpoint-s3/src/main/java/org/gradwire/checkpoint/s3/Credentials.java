package org.gradwire.checkpoint.s3;

/**
 * An access key.
 *
 * @param token of a session; empty if the key is a permanent one
 */
record Credentials(String accessKey, String secretKey, String token) {

    /** Without the secrets. */
    @Override
    public String toString() {
        return "Credentials[accessKey=%s]".formatted(accessKey);
    }
}
