package org.gradwire.runtime;

import org.gradwire.spi.DecodingException;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The name of one round of all-gather, which all its members form alike: the members in order and
 * how often they have gathered. As text, the sequence id of its messages.
 *
 * @param members names in order; the first one leads
 * @param farewell whether they gather because they leave
 * @param number from 1
 */
record RoundName(SortedSet<String> members, boolean farewell, int number) {
    private static final String FAREWELL = "farewell/"; // no name of a worker has a slash

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

    /**
     * Read a sequence id that a peer sent.
     *
     * @throws DecodingException when no worker would have formed it
     */
    static RoundName parse(String sequence) {
        int end = sequence.lastIndexOf('#');
        boolean farewell = sequence.startsWith(FAREWELL);
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
