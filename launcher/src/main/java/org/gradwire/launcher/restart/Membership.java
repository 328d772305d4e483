package org.gradwire.launcher.restart;

/** The state of a worker in its group when it ended. */
public enum Membership {
    /** It had not joined. */
    NOT_YET,
    /** It was a member. */
    MEMBER,
    /** It had left in an orderly way. */
    LEFT
}
