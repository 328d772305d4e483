package org.gradwire.launcher;

import org.gradwire.launcher.console.ExitStatus;
import org.gradwire.spi.process.FreePort;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The workers of one host in a group that {@code gradwire hosts} starts on several.
 *
 * @param mark begins the lines of this launcher on standard error, and is secret to workers
 * @param secret token of the group, or with certificates the join token; empty on the first host if
 *     it makes them
 * @param rendezvous of the group
 * @param port of the rendezvous
 */
record HostPart(String mark, String secret, String rendezvous, int port, boolean isSecure) {
    private static final int MAX_LINE = 4096;
    private static final Pattern LINE =
            Pattern.compile("(\\S+) (token|join|none) (\\S*) (\\d{1,5})");

    /**
     * Read the first line of the input.
     *
     * @param address of the host with rank 0
     */
    static HostPart read(InputStream input, String address) {
        Matcher matcher = LINE.matcher(line(input));
        if (!matcher.matches()) {
            throw new LauncherException(
                    "--part-of is for ./gradwire hosts of the same version, which writes a secret and a port to standard input; both hosts need the same Gradwire");
        }
        int given = Integer.parseInt(matcher.group(4));
        int port = given == 0 ? FreePort.choose() : given;
        return new HostPart(
                matcher.group(1),
                matcher.group(3),
                "tcp://" + address + ":" + port,
                port,
                !matcher.group(2).equals("token"));
    }

    private static String line(InputStream input) {
        var line = new StringBuilder();
        try {
            int next;
            while ((next = input.read()) != '\n' && line.length() < MAX_LINE) {
                if (next < 0) {
                    throw new LauncherException(
                            "standard input ended before the start", ExitStatus.INPUT_ENDED);
                }
                line.append((char) next);
            }
        } catch (IOException e) {
            throw new LauncherException(
                    "standard input cannot be read: " + e.getMessage(), ExitStatus.INPUT_ENDED);
        }
        return line.toString();
    }

    /** {@return the token of the group; empty if it comes with the certificates} */
    Optional<GroupToken> groupToken() {
        return isSecure ? Optional.empty() : Optional.of(new GroupToken.Text(secret));
    }

    @Override
    public String toString() {
        return "HostPart[" + rendezvous + "]";
    }
}
