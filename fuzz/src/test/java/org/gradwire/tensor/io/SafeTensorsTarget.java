package org.gradwire.tensor.io;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Fuzz target: a file of tensors. Each tensor of a file that opens can be read. */
public final class SafeTensorsTarget {
    private static final int MOST_MAPPED = 10_000; // the kernel's limit is 65,530
    private static final Path FILE = temporaryFile();
    private static int mapped;

    private SafeTensorsTarget() {}

    private static Path temporaryFile() {
        try {
            Path file = Files.createTempFile("fuzz", ".safetensors");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Read a file. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (++mapped % MOST_MAPPED == 0) {
            System.gc(); // unmaps the files before
        }
        Files.delete(FILE); // a mapped file must not be truncated
        Files.write(FILE, input);
        try {
            SafeTensorsFile file = SafeTensorsFile.open(FILE);
            for (String name : file.names()) {
                read(file.tensor(name));
            }
        } catch (SafeTensorsException _) { // the expected end of a malformed file
        }
    }

    private static void read(Tensor tensor) {
        if (tensor.numel() > 0) {
            tensor.reshape(-1).select(0, tensor.numel() - 1).item();
        }
    }

    /** {@return a file with tensors of several types} */
    public static List<byte[]> seeds() throws IOException {
        Map<String, Tensor> tensors =
                Map.of(
                        "weight", Tensor.ones(2, 3),
                        "double", Tensor.ones(2).to(DType.FLOAT64),
                        "half", Tensor.ones(2).to(DType.FLOAT16),
                        "scalar", Tensor.ones());
        SafeTensors.save(FILE, tensors, Map.of("format", "pt"));
        return List.of(Files.readAllBytes(FILE));
    }
}
