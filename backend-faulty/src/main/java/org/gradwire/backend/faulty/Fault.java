package org.gradwire.backend.faulty;

/** A fault of a share of the requests of a type, or of their replies. */
enum Fault {
    /** The request does not arrive. */
    LOSE_REQUEST("requests-to-lose"),
    /** The reply does not arrive. */
    LOSE_REPLY("replies-to-lose"),
    /** The request arrives twice. */
    REPEAT("requests-to-repeat"),
    /** The next request to the same worker overtakes the request. */
    REORDER("requests-to-reorder"),
    /** One byte of the request is changed. */
    CORRUPT_REQUEST("requests-to-corrupt"),
    /** One byte of the reply is changed. */
    CORRUPT_REPLY("replies-to-corrupt");

    private final String key;

    Fault(String name) {
        this.key = "gradwire.faulty." + name;
    }

    /** {@return the key of its setting} */
    String key() {
        return key;
    }
}
