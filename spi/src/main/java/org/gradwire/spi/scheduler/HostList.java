package org.gradwire.spi.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slurm's short form of host names: {@code gnode[10,20-25]}, {@code rack[1-2]n[01-03]b,login}.
 * Leading zeros of a range are kept.
 */
final class HostList {
    private static final int MAX_HOSTS = Short.MAX_VALUE;
    private static final int MAX_BRACKETS = 4;
    private static final Pattern NAME = Pattern.compile("(?:[^\\[\\],\\s]|\\[[^\\[\\]\\s]*])+");
    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\[\\]]*)]");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private HostList() {}

    /**
     * Expand a list.
     *
     * @return the names in order
     * @throws IllegalArgumentException when it is malformed, or has more than 32767 names; the text
     *     completes a sentence that begins with the list
     */
    static List<String> expand(String list) {
        List<String> hosts = new ArrayList<>();
        for (String name : names(list)) {
            expand(name, 0, hosts);
        }
        return hosts;
    }

    /** {@return the parts between commas outside of brackets} */
    private static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(list);
        int end = 0;
        while (end <= list.length()) {
            if (!name.find(end) || name.start() != end) {
                throw malformed();
            }
            names.add(name.group());
            end = name.end() + 1;
            if (name.end() < list.length() && list.charAt(name.end()) != ',') {
                throw malformed();
            }
        }
        return names;
    }

    private static void expand(String name, int depth, List<String> hosts) {
        Matcher brackets = BRACKETS.matcher(name);
        if (!brackets.find()) {
            if (hosts.size() >= MAX_HOSTS) {
                throw new IllegalArgumentException("has more than %d hosts".formatted(MAX_HOSTS));
            }
            hosts.add(name);
            return;
        }
        if (depth == MAX_BRACKETS) {
            throw malformed();
        }
        String prefix = name.substring(0, brackets.start());
        String suffix = name.substring(brackets.end());
        for (String range : brackets.group(1).split(",", -1)) {
            expandRange(prefix, range, suffix, depth, hosts);
        }
    }

    private static void expandRange(
            String prefix, String range, String suffix, int depth, List<String> hosts) {
        Matcher bounds = RANGE.matcher(range);
        if (!bounds.matches()) {
            throw malformed();
        }
        String first = bounds.group(1);
        int last = Integer.parseInt(bounds.group(2) == null ? first : bounds.group(2));
        int number = Integer.parseInt(first);
        if (number > last) {
            throw malformed();
        }
        for (; number <= last; number++) {
            String digits = Integer.toString(number);
            String zeros = "0".repeat(Math.max(0, first.length() - digits.length()));
            expand(prefix + zeros + digits + suffix, depth + 1, hosts);
        }
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("is not a list of hosts, such as a1,b[01-03,7]");
    }
}
