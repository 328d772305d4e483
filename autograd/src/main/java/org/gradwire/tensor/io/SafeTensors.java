package org.gradwire.tensor.io;

import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Map;

/**
 * Tensors by name in files of the safetensors format, which PyTorch, JAX and others share. Reading
 * a file executes no code.
 *
 * {@snippet :
 * SafeTensors.save(file, model.stateDict(), Map.of("epoch", "3"));
 * model.loadStateDict(SafeTensors.load(file));
 * }
 *
 * <p>Tensors are saved with their element type and shape. Strides, gradients, and which of them
 * share memory are not.
 *
 * @see <a href="https://github.com/huggingface/safetensors">the format and its Python library</a>
 */
public final class SafeTensors {

    private SafeTensors() {}

    /** As {@link #save(Path, Map, Map)}, without metadata. */
    public static void save(Path file, Map<String, Tensor> tensors) throws IOException {
        save(file, tensors, Map.of());
    }

    /**
     * Write a file. It is written under a temporary name in the same folder and moved into place
     * when it is complete, so that no reader sees a partial file; an existing file is replaced. The
     * same tensors in the same order give the same bytes.
     *
     * @param tensors by name, in the order in which {@link #load} returns them
     * @param metadata texts for the reader, written in the order of their keys
     * @throws IllegalArgumentException when a tensor is named {@code __metadata__}, a text is not
     *     valid Unicode, or names and texts have more than 100 MB
     */
    public static void save(Path file, Map<String, Tensor> tensors, Map<String, String> metadata)
            throws IOException {
        SafeTensorsWriter.of(tensors, metadata).write(file);
    }

    /**
     * Write the bytes of a file without metadata to a channel, such as one to an object store.
     *
     * @throws IllegalArgumentException as {@link #save(Path, Map, Map)} does
     */
    public static void write(WritableByteChannel channel, Map<String, Tensor> tensors)
            throws IOException {
        SafeTensorsWriter.of(tensors, Map.of()).writeTo(channel);
    }

    /** {@return the number of bytes that {@link #write} writes} */
    public static long size(Map<String, Tensor> tensors) {
        return SafeTensorsWriter.of(tensors, Map.of()).size();
    }

    /**
     * Read all tensors of a file, each into its own memory.
     *
     * @return in the order of the file's header; it may be changed
     * @throws SafeTensorsException when the file is not in the format, or has elements of a type
     *     that is not supported
     */
    public static Map<String, Tensor> load(Path file) throws IOException {
        return open(file).copies();
    }

    /**
     * Map a file into memory, to read single tensors of it, and those only when they are used.
     *
     * @throws SafeTensorsException when the file is not in the format, or has elements of a type
     *     that is not supported
     */
    public static SafeTensorsFile open(Path file) throws IOException {
        return SafeTensorsFile.open(file);
    }

    /**
     * Open the bytes of a file that are in memory. Only its header is read now, so the rest may be
     * filled in until tensors are used.
     *
     * @param name of the file, for messages
     * @param contents of the whole file, as long as the tensors are used
     * @throws SafeTensorsException as {@link #open(Path)} does
     */
    public static SafeTensorsFile open(String name, MemorySegment contents)
            throws SafeTensorsException {
        return SafeTensorsFile.over(name, contents);
    }
}
