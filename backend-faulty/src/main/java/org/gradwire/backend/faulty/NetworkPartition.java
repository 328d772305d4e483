package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network partition: a period in which no message arrives from one worker at another, or in
 * either direction.
 *
 * @param from id of a worker, or {@link #ANY}
 * @param to id of a worker, or {@link #ANY}
 * @param bothWays whether it affects both directions
 * @param after its start, counted from the start of the worker
 * @param length duration
 */
record NetworkPartition(int from, int to, boolean bothWays, Duration after, Duration length) {
    static final int ANY = -1;
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,5}|\\*)\\s*([->])\\s*(\\d{1,5}|\\*)\\s*@([^+]+)\\+([^+]+)");

    static NetworkPartition parse(Settings settings, String key, String word) {
        Matcher form = FORM.matcher(word);
        if (!form.matches()) {
            throw new RpcConfigurationException(
                    "%s holds '%s', which must have the form ID-ID@AFTER+LENGTH, such as 0-1@2s+3s, 0>1@2s+3s for one direction, or 0-*@2s+3s for all others"
                            .formatted(key, word));
        }
        return new NetworkPartition(
                id(form.group(1)),
                id(form.group(3)),
                form.group(2).equals("-"),
                settings.parseDuration(key, form.group(4).strip()),
                settings.parseDuration(key, form.group(5).strip()));
    }

    private static int id(String text) {
        return text.equals("*") ? ANY : Integer.parseInt(text);
    }

    /**
     * {@return whether a message is dropped}
     *
     * @param nanos time since the start of the worker
     */
    boolean stops(int sender, int receiver, long nanos) {
        boolean isNow = nanos >= after.toNanos() && nanos - after.toNanos() < length.toNanos();
        return isNow
                && sender != receiver
                && (is(sender, receiver) || (bothWays && is(receiver, sender)));
    }

    private boolean is(int sender, int receiver) {
        return (from == ANY || from == sender) && (to == ANY || to == receiver);
    }

    @Override
    public String toString() {
        return "%s%s%s@%s+%s"
                .formatted(
                        name(from),
                        bothWays ? "-" : ">",
                        name(to),
                        Delay.text(after),
                        Delay.text(length));
    }

    private static String name(int id) {
        return id == ANY ? "*" : Integer.toString(id);
    }
}
