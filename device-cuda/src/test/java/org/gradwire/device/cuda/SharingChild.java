package org.gradwire.device.cuda;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The other process: a {@link SharingSide} in a child JVM. */
final class SharingChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader replies;

    /** Start a child, whose driver delays its work by a seed. */
    SharingChild(long seed) throws IOException {
        Map<String, String> settings =
                Map.of("FAKE_CUDA_CONFIG", "devices=2,memory=1g,delay=50,seed=" + seed);
        process = ChildJvm.start(SharingSide.class, FakeCuda.LIBRARIES, settings, List.of());
        replies = process.inputReader(StandardCharsets.UTF_8);
    }

    /** {@return the reply to a line} */
    String ask(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        var others = new StringBuilder();
        for (String reply = replies.readLine(); reply != null; reply = replies.readLine()) {
            if (reply.startsWith(SharingSide.REPLY)) {
                return reply.substring(SharingSide.REPLY.length());
            }
            others.append(reply).append('\n'); // a warning, or why the child ends
        }
        throw new AssertionError("%s: the child ended: %s".formatted(line, others));
    }

    byte[] export(String name, long offset, long bytes) throws IOException {
        return HexFormat.of().parseHex(ask("export %s %d %d".formatted(name, offset, bytes)));
    }

    byte[] copy(byte[] exported, String name, int device, long bytes) throws IOException {
        return HexFormat.of()
                .parseHex(
                        ask(
                                "copy %s %s %d %d"
                                        .formatted(
                                                HexFormat.of().formatHex(exported),
                                                name,
                                                device,
                                                bytes)));
    }

    void copied(String name, byte[] answer) throws IOException {
        ask("copied %s %s".formatted(name, HexFormat.of().formatHex(answer)));
    }

    /** Kill it, and wait for its end. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
