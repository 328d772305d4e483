package org.gradwire.spi;

/**
 * The address of a peer and the authentication that a worker requires of it. Written to the audit
 * log; contains no secret.
 *
 * @param address of its end of the connection, as far as the backend knows; may be empty
 * @param authentication the strongest proof that this worker demands of it before it accepts a
 *     message
 */
public record PeerIdentity(String address, Authentication authentication) {

    /** The identity of a peer about which the backend reports nothing. */
    public static final PeerIdentity UNKNOWN = new PeerIdentity("", Authentication.NONE);

    /** The proof that a peer needs. */
    public enum Authentication {
        /** None. */
        NONE("nothing"),
        /** Knowledge of the group's token, which does not prove a name. */
        TOKEN("the token"),
        /** A certificate of the group's authority, and the token if there is one. */
        CERTIFICATE("a certificate"),
        /** None: it runs in the same JVM. */
        PROCESS("the same process");

        private final String text;

        Authentication(String text) {
            this.text = text;
        }

        /** {@return the proof in words} */
        public String text() {
            return text;
        }
    }
}
