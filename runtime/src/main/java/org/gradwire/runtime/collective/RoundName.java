package org.gradwire.runtime.collective;

import org.gradwire.spi.DecodingException;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The name of a round of all-gather, which all its members compute identically. Its text is the
 * sequence id in messages.
 *
 * @param members the names in order; the first is the leader's
 * @param farewell whether the round is part of an orderly shutdown
 * @param number counts the rounds of these members, from 1
 */
record RoundName(SortedSet<String> members, boolean farewell, int number) {
    private static final String FAREWELL = "farewell/"; // names of workers contain no slash

    RoundName {
        members = Collections.unmodifiableSortedSet(members);
    }

    /** {@return the rounds of these members, without the number} */
    static String series(SortedSet<String> members, boolean farewell) {
        return (farewell ? FAREWELL : "") + String.join(",", members);
    }

    String series() {
        return series(members, farewell);
    }

    String leader() {
        return members.first();
    }

    @Override
    public String toString() {
        return series() + "#" + number;
    }

    /** {@return whether a sequence id is that of a round in an orderly shutdown} */
    static boolean isFarewell(String sequence) {
        return sequence.startsWith(FAREWELL);
    }

    /**
     * Read a sequence id that a peer sent.
     *
     * @throws DecodingException when it is not a sequence id
     */
    static RoundName parse(String sequence) {
        int end = sequence.lastIndexOf('#');
        boolean farewell = isFarewell(sequence);
        int begin = farewell ? FAREWELL.length() : 0;
        if (end > begin) {
            var members =
                    new TreeSet<>(Arrays.asList(sequence.substring(begin, end).split(",", -1)));
            var name = new RoundName(members, farewell, number(sequence.substring(end + 1)));
            if (name.toString().equals(sequence) && name.number > 0) {
                return name;
            }
        }
        throw malformed();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw malformed();
        }
    }

    private static DecodingException malformed() {
        return new DecodingException(
                "a sequence id is not the names of workers in order, '#' and a number from 1");
    }
}
