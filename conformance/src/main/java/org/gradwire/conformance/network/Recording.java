package org.gradwire.conformance.network;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file with all frames of a network since the recording began. */
final class Recording implements AutoCloseable {
    private final DataOutputStream out;

    private Recording(DataOutputStream out) {
        this.out = out;
    }

    /** Begin a recording to a file, which is overwritten. */
    static Recording to(Path file) throws IOException {
        return new Recording(
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file))));
    }

    void add(byte[] frame) throws IOException {
        out.writeInt(frame.length);
        out.write(frame);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** {@return the frames of a file} */
    static List<byte[]> frames(Path file) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (in.available() > 0) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                frames.add(frame);
            }
        }
        return frames;
    }
}
