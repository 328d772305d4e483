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
 * @param place the place in the log of a dynamic group where the last of the members joined, so
 *     that rounds with an earlier process of a member never mix with later ones; 0 in a static
 *     group
 * @param number counts the rounds of these members since that place, from 1
 */
record RoundName(SortedSet<String> members, boolean farewell, long place, int number) {
    private static final String FAREWELL = "farewell/"; // names of workers contain no slash
    private static final char PLACE = '@'; // nor this

    RoundName {
        members = Collections.unmodifiableSortedSet(members);
    }

    /** {@return the rounds of these members, without the number} */
    String series() {
        return (farewell ? FAREWELL : "")
                + String.join(",", members)
                + (place > 0 ? PLACE + Long.toString(place) : "");
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
            int at = sequence.lastIndexOf(PLACE, end);
            String names = sequence.substring(begin, at < begin ? end : at);
            long place = at < begin ? 0 : number(sequence.substring(at + 1, end));
            int number = (int) number(sequence.substring(end + 1));
            var members = new TreeSet<>(Arrays.asList(names.split(",", -1)));
            var name = new RoundName(members, farewell, place, number);
            if (name.toString().equals(sequence) && name.number > 0) {
                return name;
            }
        }
        throw malformed();
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw malformed();
        }
    }

    private static DecodingException malformed() {
        return new DecodingException(
                "a sequence id is not the names of workers in order, '@' and a place if the group is dynamic, '#' and a number from 1");
    }
}
