package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where and what a worker is, as it stands in the store for its peers: lines of {@code key=value}
 * in UTF-8.
 *
 * @param incarnation random; tells a worker from an earlier one with the same id
 * @param host where it runs
 * @param driver the media driver it uses: its directory and when it started
 * @param process number and start, in the host's pid namespace
 * @param hasBell whether there is a bell in the driver's directory that wakes its poller
 * @param ipcStream on which it listens in shared memory
 * @param udpStream on which it listens at its endpoint
 * @param udpEndpoint address and port
 * @param tcpPort there, at which large buffers are read; 0 for none
 */
record Address(
        long incarnation,
        HostIdentity host,
        String driver,
        ProcessIdentity process,
        boolean hasBell,
        int ipcStream,
        int udpStream,
        String udpEndpoint,
        int tcpPort) {

    private static final String PROTOCOL = "protocol";
    private static final int MAX_BYTES = 4096;
    private static final int HEXADECIMAL = 16;
    private static final int MAX_PORT = 65_535;

    byte[] encode() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(PROTOCOL, Integer.toString(FrameHeader.VERSION));
        fields.put("incarnation", Long.toHexString(incarnation));
        fields.put("host", host.text());
        fields.put("driver", driver);
        fields.put("pid", Long.toString(process.pid()));
        fields.put("process-start", Long.toString(process.startTicks()));
        fields.put("bell", Boolean.toString(hasBell));
        fields.put("ipc-stream", Integer.toString(ipcStream));
        fields.put("udp-stream", Integer.toString(udpStream));
        fields.put("udp-endpoint", udpEndpoint);
        fields.put("tcp-port", Integer.toString(tcpPort));
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Read an address.
     *
     * @throws DecodingException when it is none, or of another version of the protocol
     */
    static Address decode(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new DecodingException(
                    "an address of %d bytes; at most %d".formatted(bytes.length, MAX_BYTES));
        }
        Map<String, String> fields = fields(new String(bytes, StandardCharsets.UTF_8));
        String version = field(fields, PROTOCOL);
        if (!version.equals(Integer.toString(FrameHeader.VERSION))) {
            throw new DecodingException(
                    "it speaks version %s of the protocol, this worker version %d; use the same Gradwire on all workers"
                            .formatted(version, FrameHeader.VERSION));
        }
        try {
            return decode(fields);
        } catch (NumberFormatException e) {
            throw new DecodingException("an address with a wrong number: " + e.getMessage(), e);
        }
    }

    private static Address decode(Map<String, String> fields) {
        return new Address(
                Long.parseUnsignedLong(field(fields, "incarnation"), HEXADECIMAL),
                new HostIdentity(field(fields, "host")),
                field(fields, "driver"),
                new ProcessIdentity(
                        Long.parseLong(field(fields, "pid")),
                        Long.parseLong(field(fields, "process-start"))),
                Boolean.parseBoolean(field(fields, "bell")),
                Integer.parseInt(field(fields, "ipc-stream")),
                Integer.parseInt(field(fields, "udp-stream")),
                field(fields, "udp-endpoint"),
                tcpPort(field(fields, "tcp-port")));
    }

    private static int tcpPort(String text) {
        int port = Integer.parseInt(text);
        if (port < 0 || port > MAX_PORT) {
            throw new DecodingException("an address with a wrong port: " + text);
        }
        return port;
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        text.lines()
                .forEach(line -> {
                    int end = line.indexOf('=');
                    if (end >= 0) {
                        fields.putIfAbsent(line.substring(0, end), line.substring(end + 1));
                    }
                });
        return fields;
    }

    private static String field(Map<String, String> fields, String key) {
        String value = fields.get(key);
        if (value == null) {
            throw new DecodingException("an address without " + key);
        }
        return value;
    }

    /** {@return the host of its endpoint, an IPv6 address without brackets} */
    String udpHost() {
        return hostOf(udpEndpoint);
    }

    /** {@return the host of an endpoint, an IPv6 address without brackets} */
    static String hostOf(String endpoint) {
        String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** {@return whether a worker there can be reached through shared memory from here} */
    boolean sharesDriverWith(Address other) {
        return host.equals(other.host) && driver.equals(other.driver);
    }
}
