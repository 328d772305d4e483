package org.gradwire.backend.faulty;

/** What happens to a share of the requests of a type, or of the replies to them. */
enum Fault {
    /** The request does not arrive. */
    LOSE_REQUEST("requests-to-lose"),
    /** The reply does not arrive. */
    LOSE_REPLY("replies-to-lose"),
    /** The request arrives twice. */
    REPEAT("requests-to-repeat"),
    /** The request is overtaken by the next one to the same worker. */
    REORDER("requests-to-reorder"),
    /** One byte of the request is another one. */
    CORRUPT_REQUEST("requests-to-corrupt"),
    /** One byte of the reply is another one. */
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
