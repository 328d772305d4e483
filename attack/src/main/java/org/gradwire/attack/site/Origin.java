package org.gradwire.attack.site;

import java.util.Locale;

/** The position of an attacker. */
public enum Origin {
    /** Same user, same host, with the group's token. */
    MEMBER,
    /** Same user, same host, without the token. */
    STRANGER,
    /** Another user of the host, without the token. */
    OTHER_USER,
    /** Another host, with the token. */
    REMOTE_MEMBER,
    /** Another host, without the token. */
    REMOTE_STRANGER,
    /** The operator of the group, who renews and revokes certificates: no attacker. */
    OPERATOR;

    /** {@return the name in the report} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return whether it has the token, or a certificate in a group with certificates} */
    boolean hasToken() {
        return this == MEMBER || this == REMOTE_MEMBER;
    }

    boolean isRemote() {
        return this == REMOTE_MEMBER || this == REMOTE_STRANGER;
    }
}
