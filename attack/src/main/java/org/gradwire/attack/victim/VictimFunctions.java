package org.gradwire.attack.victim;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.gradwire.tensor.io.SafeTensorsException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The functions that a victim offers. */
@RemoteCallable
public final class VictimFunctions {

    private VictimFunctions() {}

    /** {@return the square} */
    public static int square(int number) {
        return number * number;
    }

    /** {@return the same value} */
    public static Object echo(Object value) {
        return value;
    }

    /** {@return the tensor times a factor} */
    public static Tensor scale(Tensor tensor, double factor) {
        return tensor.mul(factor);
    }

    /** {@return the sum of a referenced tensor} */
    public static double sum(RRef<Tensor> tensor) {
        return tensor.toHere().sum().item();
    }

    /**
     * Load each file of a folder as safetensors.
     *
     * @return the numbers of loaded files and of files refused with the expected error
     */
    public static List<Integer> load(String folder) throws IOException {
        int loaded = 0;
        int refused = 0;
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            for (Path file : files.toList()) {
                try {
                    var _ = SafeTensors.load(file);
                    loaded++;
                } catch (SafeTensorsException e) {
                    refused++;
                }
            }
        }
        return List.of(loaded, refused);
    }
}
