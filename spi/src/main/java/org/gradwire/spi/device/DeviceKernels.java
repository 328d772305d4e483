package org.gradwire.spi.device;

import java.util.List;

/**
 * The kernels of a device, by name. For one that it lacks, the operands are copied to the host,
 * whose kernel runs, and the result is copied back; so a provider may have any of them.
 *
 * <p>Elements of operands correspond in row-major order, whatever the dimensions of each, except
 * for {@code matmul}. An input may be a number, which stands for as many elements as are needed.
 * Rows are runs of n elements in that order; a number at the end of the inputs tells n.
 *
 * <table>
 * <caption>Kernels</caption>
 * <tr><th>names</th><th>inputs</th><th>result</th></tr>
 * <tr><td>{@code exp}, {@code relu} and other functions of one number</td>
 *     <td>x</td><td>of the same type</td></tr>
 * <tr><td>{@code add}, {@code pow}, {@code relu_gradient} and other functions of two numbers</td>
 *     <td>a, b</td><td>of the same type</td></tr>
 * <tr><td>{@code copy}</td><td>x, of any type</td><td>converted</td></tr>
 * <tr><td>{@code add_scaled}</td><td>y, x, a number a</td><td>{@code y + a x}</td></tr>
 * <tr><td>{@code sum}</td><td>x, with a multiple of the result's elements</td>
 *     <td>the sums of its rows</td></tr>
 * <tr><td>{@code softmax}, {@code log_softmax}</td><td>x, n</td><td>for each row</td></tr>
 * <tr><td>{@code softmax_gradient}, {@code log_softmax_gradient}</td>
 *     <td>gradient, output, n</td><td>the gradient of x</td></tr>
 * <tr><td>{@code matmul}</td>
 *     <td>a {@code [b, m, k]}, b {@code [b, k, n]}, a number: 1 to add to the result, else 0</td>
 *     <td>{@code [b, m, n]}</td></tr>
 * </table>
 *
 * <p>Called concurrently. A kernel may run after the call returned, but before anything that later
 * uses its result, and after all that changed its inputs before.
 */
public interface DeviceKernels {
    /** The kernels of a device without any. */
    DeviceKernels NONE = new DeviceKernels() {};

    /** {@return whether a kernel exists for results of a type} */
    default boolean has(String name, ElementType type) {
        return false;
    }

    /**
     * Run a kernel.
     *
     * @param name of one that the device {@linkplain #has has} for the result's type
     * @param result in memory; only a {@code matmul} that adds reads it
     * @param inputs on the same device; one that shares memory with the result has the same
     *     elements at the same places
     * @return whether it ran; false, with nothing written, for a layout that the kernel cannot
     *     handle
     */
    default boolean run(String name, Operand result, List<Operand> inputs) {
        return false;
    }
}
