package org.gradwire.launcher.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host of a group.
 *
 * @param user to log in as; empty for that of the configuration of {@code ssh}
 * @param address as the user has written it
 * @param workers number of workers; empty for that of all hosts
 */
public record Host(Optional<String> user, String address, Optional<Integer> workers) {
    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*|\\[[0-9A-Fa-f:.]+(?:%\\w+)?]";
    private static final Pattern ADDRESS = Pattern.compile(NAME);
    private static final Pattern SYNTAX =
            Pattern.compile("(?:([A-Za-z0-9_][^@:,\\s]*)@)?(" + NAME + ")(?::(.*))?");
    private static final int MAX_WORKERS = Short.MAX_VALUE;

    /**
     * Read a list such as {@code h1,me@h2:4}.
     *
     * @throws IllegalArgumentException if it is empty, has a host twice, or an entry has another
     *     form
     */
    public static List<Host> parseList(String text) {
        List<Host> hosts = new ArrayList<>();
        Set<String> addresses = new HashSet<>();
        for (String entry : text.split(",", -1)) {
            Host host = parse(entry.strip(), text);
            if (!addresses.add(host.address)) {
                throw new IllegalArgumentException(
                        "host '%s' is twice in '%s': name it once, with its number of workers: %s:2"
                                .formatted(host.address, text, host.address));
            }
            hosts.add(host);
        }
        return List.copyOf(hosts);
    }

    private static Host parse(String entry, String list) {
        if (entry.isEmpty()) {
            throw new IllegalArgumentException(
                    "the list of hosts '%s' has an empty entry: write HOST[,HOST...], such as h1,me@h2:4"
                            .formatted(list));
        }
        Matcher matcher = SYNTAX.matcher(entry);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a host: write HOST, USER@HOST or HOST:WORKERS, an address of IPv6 as [::1]"
                            .formatted(entry));
        }
        return new Host(
                Optional.ofNullable(matcher.group(1)),
                matcher.group(2),
                Optional.ofNullable(matcher.group(3)).map(number -> workers(number, entry)));
    }

    private static int workers(String number, String entry) {
        if (number.matches("\\d{1,5}")) {
            int workers = Integer.parseInt(number);
            if (workers >= 1 && workers <= MAX_WORKERS) {
                return workers;
            }
        }
        throw new IllegalArgumentException(
                "'%s' in '%s' is not a number of workers from 1 to %d; ports of ssh are in ~/.ssh/config, or in --ssh \"ssh -p PORT\""
                        .formatted(number, entry, MAX_WORKERS));
    }

    /** {@return whether a text has the form of a host's address} */
    public static boolean isAddress(String text) {
        return ADDRESS.matcher(text).matches();
    }

    /** {@return the host as an argument of {@code ssh}} */
    String destination() {
        String bare =
                address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
        return user.map(name -> name + "@").orElse("") + bare;
    }
}
