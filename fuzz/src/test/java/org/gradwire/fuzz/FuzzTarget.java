package org.gradwire.fuzz;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The fuzz targets. Each is a class in the package of the decoder, with the two static methods that
 * {@link #run} and {@link #seeds} call; Jazzer calls the first.
 */
enum FuzzTarget {
    /** A request to a running worker: values, tensors, references, autograd, trace headers. */
    WORKER("org.gradwire.fuzz.WorkerTarget"),
    /** A part of a collective operation, or the end of a process group. */
    COLLECTIVE("org.gradwire.fuzz.CollectiveTarget"),
    /** A frame of the backend tensorpipe. */
    TENSORPIPE_FRAME("org.gradwire.backend.tensorpipe.frame.FrameTarget"),
    /** An address or offer of encryption of the backend tensorpipe. */
    TENSORPIPE_ENTRY("org.gradwire.backend.tensorpipe.address.EntryTarget"),
    /** A stream of frames of the backend netty. */
    NETTY_LANE("org.gradwire.backend.netty.LaneTarget"),
    /** A handshake or an address of the backend netty. */
    NETTY_HANDSHAKE("org.gradwire.backend.netty.HandshakeTarget"),
    /** A stream of frames of the TCP store. */
    STORE("org.gradwire.runtime.store.StoreTarget"),
    /** An identity with certificates in the handshake of the TCP store. */
    STORE_IDENTITY("org.gradwire.runtime.store.IdentityTarget"),
    /** A file of tensors. */
    SAFETENSORS("org.gradwire.tensor.io.SafeTensorsTarget"),
    /** A manifest of a checkpoint. */
    CHECKPOINT_MANIFEST("org.gradwire.checkpoint.ManifestTarget");

    private final String className;

    FuzzTarget(String className) {
        this.className = className;
    }

    /** {@return its name in commands and folders} */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return the class with the target's methods} */
    String className() {
        return className;
    }

    /** {@return the target with an id} */
    static FuzzTarget of(String id) {
        return Arrays.stream(values())
                .filter(target -> target.id().equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no fuzz target '%s'; there are %s"
                                        .formatted(
                                                id,
                                                Arrays.stream(values())
                                                        .map(FuzzTarget::id)
                                                        .toList())));
    }

    /**
     * Run the target once.
     *
     * @throws AssertionError or another throwable when the input shows an error
     */
    void run(byte[] input) throws Throwable {
        call("fuzzerTestOneInput", new Class<?>[] {byte[].class}, input);
    }

    /** {@return valid inputs, from which the fuzzer starts} */
    @SuppressWarnings("unchecked") // the declared type of each target
    List<byte[]> seeds() throws Throwable {
        var seeds = (List<byte[]>) call("seeds", new Class<?>[0]);
        if (seeds == null || seeds.isEmpty()) {
            throw new IllegalStateException(className + " has no seeds");
        }
        return seeds;
    }

    private @Nullable Object call(String name, Class<?>[] types, Object... arguments)
            throws Throwable {
        try {
            return Class.forName(className).getMethod(name, types).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
