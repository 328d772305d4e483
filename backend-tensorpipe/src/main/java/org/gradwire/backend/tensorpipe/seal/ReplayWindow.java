package org.gradwire.backend.tensorpipe.seal;

/**
 * The numbers of the last datagrams that were opened with one key: each opens once, and none that
 * is older than the window. For one thread.
 */
final class ReplayWindow {
    static final int SIZE = 4096;

    private final long[] seen = new long[SIZE / Long.SIZE];
    private int highest = -1;

    /** {@return whether a datagram with this number may be opened} */
    boolean permits(int number) {
        return number > highest || (number >= 0 && number > highest - SIZE && !isSeen(number));
    }

    /** Remember a number; its datagram was authentic. */
    void add(int number) {
        if (number > highest) {
            clearUpTo(number);
            highest = number;
        }
        seen[word(number)] |= bit(number);
    }

    private void clearUpTo(int number) {
        long from = Math.max(highest + 1L, number - (long) SIZE + 1);
        for (long at = from; at <= number; at++) {
            seen[word((int) at)] &= ~bit((int) at);
        }
    }

    private boolean isSeen(int number) {
        return (seen[word(number)] & bit(number)) != 0;
    }

    private static int word(int number) {
        return (number & (SIZE - 1)) / Long.SIZE;
    }

    private static long bit(int number) {
        return 1L << (number % Long.SIZE);
    }
}
