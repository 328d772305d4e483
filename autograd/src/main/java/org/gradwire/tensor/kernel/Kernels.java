package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BFloat16Elements;
import org.gradwire.tensor.kernel.element.BoolElements;
import org.gradwire.tensor.kernel.element.DoubleElements;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Float16Elements;
import org.gradwire.tensor.kernel.element.FloatElements;
import org.gradwire.tensor.kernel.element.IntElements;
import org.gradwire.tensor.kernel.element.LongElements;

import java.util.Optional;

/**
 * The kernels of all element types.
 *
 * @param name {@code plain} or {@code vector}
 */
public record Kernels(
        String name,
        Elements<float[]> floats,
        Elements<double[]> doubles,
        Elements<int[]> ints,
        Elements<long[]> longs,
        Elements<byte[]> bools,
        Elements<short[]> float16s,
        Elements<short[]> bfloat16s) {
    private static final System.Logger LOGGER = System.getLogger(Kernels.class.getName());

    /** {@return the fastest available kernels; chosen once} */
    public static Kernels installed() {
        return Installed.KERNELS;
    }

    /** {@return the plain Java kernels, always available} */
    public static Kernels plain() {
        return of("plain", new FloatElements(), new DoubleElements(), new LongElements());
    }

    /** {@return the Vector API kernels; empty unless {@code jdk.incubator.vector} is added} */
    public static Optional<Kernels> vector() {
        Module api = ModuleLayer.boot().findModule("jdk.incubator.vector").orElse(null);
        if (api == null) {
            return Optional.empty();
        }
        Kernels.class.getModule().addReads(api); // as no descriptor may require it
        try {
            // Not imported: javadoc reads what is imported, and sees no incubator module.
            return Optional.of(
                    of(
                            "vector",
                            new org.gradwire.tensor.kernel.vector.VectorFloatElements(),
                            new org.gradwire.tensor.kernel.vector.VectorDoubleElements(),
                            new org.gradwire.tensor.kernel.vector.VectorLongElements()));
        } catch (LinkageError e) {
            LOGGER.log(System.Logger.Level.WARNING, "the Vector API of this JDK cannot be used", e);
            return Optional.empty();
        }
    }

    private static Kernels of(
            String name,
            Elements<float[]> floats,
            Elements<double[]> doubles,
            Elements<long[]> longs) {
        return new Kernels(
                name,
                floats,
                doubles,
                new IntElements(),
                longs,
                new BoolElements(),
                new Float16Elements(floats),
                new BFloat16Elements(floats));
    }

    private static final class Installed {
        static final Kernels KERNELS = vector().orElseGet(Kernels::plain);
    }
}
