package org.gradwire.backend.tensorpipe.address;

import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The hosts from which a worker expects sessions over UDP. The worker writes them for its media
 * driver into a file of the driver's directory, which only the user of both can enter.
 *
 * @param stream on which the worker listens
 * @param termLength the largest term of a session's log, in bytes
 * @param workers the number of peers on each host
 */
public record ExpectedSources(int stream, int termLength, Map<InetAddress, Integer> workers) {
    private static final String SEPARATOR = "=";
    private static final String STREAM = "stream";
    private static final String TERM_LENGTH = "term-length";

    /** Count the peers on each host. */
    public static ExpectedSources of(int stream, int termLength, Collection<InetAddress> hosts) {
        Map<InetAddress, Integer> workers = new HashMap<>();
        hosts.forEach(host -> workers.merge(host, 1, Integer::sum));
        return new ExpectedSources(stream, termLength, workers);
    }

    public int workersAt(InetAddress host) {
        return workers.getOrDefault(host, 0);
    }

    /** Replace the content of a file atomically. */
    public void write(Path file) throws IOException {
        var text = new StringBuilder();
        text.append(STREAM).append(SEPARATOR).append(stream).append('\n');
        text.append(TERM_LENGTH).append(SEPARATOR).append(termLength).append('\n');
        workers.forEach((host, count) ->
                text.append(host.getHostAddress()).append(SEPARATOR).append(count).append('\n'));
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** {@return the content of a file; null if missing or invalid} */
    public static @Nullable ExpectedSources read(Path file) {
        int stream = 0;
        int termLength = 0;
        Map<InetAddress, Integer> workers = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(SEPARATOR, 2);
                int number = Integer.parseInt(parts[1]);
                switch (parts[0]) {
                    case STREAM -> stream = number;
                    case TERM_LENGTH -> termLength = number;
                    default -> workers.put(HostAddress.parse(parts[0]), number);
                }
            }
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException _) {
            return null;
        } catch (DecodingException _) {
            return null;
        }
        return new ExpectedSources(stream, termLength, workers);
    }
}
