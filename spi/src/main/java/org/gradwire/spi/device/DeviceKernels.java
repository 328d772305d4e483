package org.gradwire.spi.device;

import java.util.List;

/**
 * The kernels of a device, by name. For one that it lacks, the operands are copied to the host,
 * whose kernel runs, and the result is copied back; so a provider may implement any subset.
 *
 * <p>Elements of operands correspond in row-major order, whatever the dimensions of each, unless
 * the table says otherwise. An input may be a number, which stands for as many elements as are
 * needed, as may one element. Rows are runs of n elements in that order; a number at the end of the
 * inputs is n. Labels, indices and positions are of int64 and were checked by the caller.
 *
 * <p><em>Windows</em> are twelve numbers, always one for the lines of a plane and one for the
 * places in a line: extents of a plane, numbers of windows, extents of a window, strides, padding
 * before and after, dilations.
 *
 * <table>
 * <caption>Kernels</caption>
 * <tr><th>names</th><th>inputs</th><th>result</th></tr>
 * <tr><td>{@code exp}, {@code relu} and other functions of one number</td>
 *     <td>x</td><td>of the same type</td></tr>
 * <tr><td>{@code add}, {@code pow}, {@code relu_gradient} and other functions of two numbers</td>
 *     <td>a, b</td><td>of the same type</td></tr>
 * <tr><td>{@code eq}, {@code ne}, {@code lt}, {@code le}, {@code gt}, {@code ge}</td>
 *     <td>a, b, of the same type</td><td>of bool</td></tr>
 * <tr><td>{@code is_nan}, {@code is_finite}, {@code is_infinite}</td><td>x</td><td>of
 *     bool</td></tr>
 * <tr><td>{@code is_no_probability}</td><td>x</td><td>of bool: whether it is not from 0 to
 *     1</td></tr>
 * <tr><td>{@code is_no_label}</td><td>labels, the label to ignore, the number of classes</td>
 *     <td>of bool: whether a label is outside of the classes and not ignored</td></tr>
 * <tr><td>{@code squared_error}, {@code absolute_error}</td><td>a, b</td>
 *     <td>the square of {@code a - b}, or its absolute value</td></tr>
 * <tr><td>{@code smooth_l1}, {@code huber}</td><td>a, b, a number c</td>
 *     <td>for differences up to c half their square, divided by c for {@code smooth_l1}; linear
 *     above</td></tr>
 * <tr><td>{@code binary_cross_entropy}</td><td>a, b, weight</td>
 *     <td>the cross-entropy of the probabilities b and a, with logarithms of at least -100, times
 *     the weight</td></tr>
 * <tr><td>{@code logit_cross_entropy}</td><td>a, b, weight, weight of positives</td>
 *     <td>the same of the logits a, where the logarithm of the positive class has the last
 *     weight</td></tr>
 * <tr><td>{@code kl_divergence}, {@code log_kl_divergence}</td><td>a, b</td>
 *     <td>the divergence of the logarithms of probabilities a from b, of probabilities or their
 *     logarithms</td></tr>
 * <tr><td>the name of a loss above with {@code _gradient}, for cross-entropies and divergences also
 *     with {@code _target_gradient}</td>
 *     <td>the inputs of the loss, but before its number the gradient and a factor</td>
 *     <td>the gradient of a, or of b, times the factor</td></tr>
 * <tr><td>{@code where}</td><td>a mask of bool, a, b</td>
 *     <td>a where the mask is set, else b</td></tr>
 * <tr><td>{@code copy}</td><td>x, of any type</td><td>converted</td></tr>
 * <tr><td>{@code add_scaled}</td><td>y, x, a number a</td><td>{@code y + a x}</td></tr>
 * <tr><td>{@code sum}</td><td>x, with a multiple of the result's elements</td>
 *     <td>the sums of its rows</td></tr>
 * <tr><td>{@code softmax}, {@code log_softmax}</td><td>x, n</td><td>for each row</td></tr>
 * <tr><td>{@code softmax_gradient}, {@code log_softmax_gradient}</td>
 *     <td>gradient, output, n</td><td>the gradient of x</td></tr>
 * <tr><td>{@code layer_norm}</td>
 *     <td>x, weight and bias, each of n elements or as many as x, a number added to the variance,
 *     n</td>
 *     <td>each row with mean 0 and variance 1, times weight, plus bias</td></tr>
 * <tr><td>{@code layer_norm_gradient}</td>
 *     <td>gradient, x, weight, the number added to the variance, n</td>
 *     <td>the gradient of x</td></tr>
 * <tr><td>{@code spread}</td><td>a number for each row, n</td><td>rows of that number</td></tr>
 * <tr><td>{@code normalize}</td><td>x, and for each row a mean, a factor and a shift, n</td>
 *     <td>x minus the mean, times the factor, plus the shift</td></tr>
 * <tr><td>{@code normalize_gradient}</td>
 *     <td>gradient, a factor for each row, x, and for each row a mean, a slope and a shift, n</td>
 *     <td>the gradient times the factor, plus x minus the mean times the slope, plus the
 *     shift</td></tr>
 * <tr><td>{@code centered_squares}, {@code centered_products}</td>
 *     <td>x, a mean for each row, for products y, n</td>
 *     <td>for each row the sum of the squares of x minus the mean, or of its products with
 *     y</td></tr>
 * <tr><td>{@code nll_loss}</td>
 *     <td>scores {@code [n, classes, m]}, a label for each of {@code [n, m]}, the weight of each
 *     class or one number, the label to ignore, a factor, the number of classes, m, 1</td>
 *     <td>for each label minus its score times the weight of the class, or 0 when ignored, times
 *     the factor</td></tr>
 * <tr><td>{@code nll_loss_gradient}</td>
 *     <td>gradient for each label, labels, weights, the label to ignore, a factor, the number of
 *     classes</td>
 *     <td>rows of 0, but at the label the gradient times the weight and the factor</td></tr>
 * <tr><td>{@code place}</td>
 *     <td>a number for each row, an index for each, the index of rows without a number, a factor,
 *     n</td>
 *     <td>rows of 0, but at the index the number times the factor</td></tr>
 * <tr><td>{@code row_max}, {@code row_min}, {@code row_mul}</td><td>x, n</td>
 *     <td>the largest number of each row, or the smallest, NaN if there is one; the product of
 *     each</td></tr>
 * <tr><td>{@code row_index}</td><td>x, of any type, a number for each row, n</td>
 *     <td>of int64, the place of the first that equals the number, or of the first NaN for
 *     NaN</td></tr>
 * <tr><td>{@code gather}</td>
 *     <td>for each element of the result the one at index 0 along a dimension, the index along it
 *     for each, the distance in memory from one index to the next, 1</td>
 *     <td>the elements at the indices</td></tr>
 * <tr><td>{@code take_rows}</td>
 *     <td>a table of rows, the index of a row of it for each row of the result, n</td>
 *     <td>those rows</td></tr>
 * <tr><td>{@code add_rows}</td>
 *     <td>a table of rows, indices of rows of the result, all different, positions in the order of
 *     the next input where those of each index begin, and of the end of the last, the rows of the
 *     table to add, 1 to divide each floating-point sum by the number of its rows, else 0, n</td>
 *     <td>at each index the sum of its rows, in order; other rows are not written</td></tr>
 * <tr><td>{@code count_set}</td><td>a mask of bool, its length, n</td>
 *     <td>of int64, the number of set elements in each run of n</td></tr>
 * <tr><td>{@code compress}</td>
 *     <td>x, a mask of bool, the number of set elements up to the end of each run of n, the length
 *     of the mask, n</td>
 *     <td>the elements of x where the mask is set</td></tr>
 * <tr><td>{@code expand}</td><td>the result of {@code compress}, and its other inputs</td>
 *     <td>those elements where the mask is set, else 0</td></tr>
 * <tr><td>{@code set_indices}</td>
 *     <td>a mask of bool, the number of set elements up to the end of each run of n, the extents of
 *     the mask, their number, the length of the mask, n</td>
 *     <td>of int64, the index of each set element along each dimension</td></tr>
 * <tr><td>{@code cumulative_sum}, {@code cumulative_product}</td>
 *     <td>x, 1 to begin at the end of a row, else 0, n</td>
 *     <td>the running sums, or products, of each row</td></tr>
 * <tr><td>{@code cumulative_product_gradient}</td>
 *     <td>gradient, x, of float64 the running products of x, n</td><td>the gradient of x</td></tr>
 * <tr><td>{@code chunk_sum}, {@code chunk_product}</td>
 *     <td>x, 1 to begin at the end of a row, else 0, the length of a row, n</td>
 *     <td>the sum, or product, of each chunk of n elements of a row, of which the last may be
 *     shorter; in a wider type</td></tr>
 * <tr><td>{@code chunked_sum}, {@code chunked_product}</td>
 *     <td>x, running sums, or products, of those of the chunks of each row, 1 to begin at the end
 *     of a row, else 0, the length of a row, n</td>
 *     <td>the running sums, or products, of each row</td></tr>
 * <tr><td>{@code sort_tiles}</td>
 *     <td>x of rows, an order of each row or -1 for that of x, the number of tiles, 1 to sort by the
 *     upper 32 bits of elements of 64 bits or 0 for the lower ones, -1 to reverse the order, else 0,
 *     the length l of a row, the number c to write of each row, a mask, n, a power of two up to
 *     1024</td>
 *     <td>of int64: each tile of n elements of a row, of which the last may be shorter, in order, as
 *     numbers of a key of 32 bits and the place in the row below it, masked. NaN is the largest, and
 *     equal elements keep their order</td></tr>
 * <tr><td>{@code radix_tiles}</td>
 *     <td>as {@code sort_tiles} up to l, the first bit and the end of the bits in which keys of one
 *     sign differ, multiples of 8, c, a mask, n, 2048 or 4096</td>
 *     <td>that of {@code sort_tiles}</td></tr>
 * <tr><td>{@code radix_first_counts}</td>
 *     <td>as {@code sort_tiles} up to l, a bit of the keys, n, 4096</td>
 *     <td>of int32, for each row, each of the 256 values of the 8 bits from that bit on, and each
 *     tile of n of the row, how many keys have it</td></tr>
 * <tr><td>{@code radix_offsets}</td>
 *     <td>those counts, 256 for each row, the number of tiles of a row</td>
 *     <td>of int32, for each row and value the sums of the counts before each tile, and of all</td></tr>
 * <tr><td>{@code radix_first_places}</td>
 *     <td>as {@code sort_tiles} up to l, those sums, the bit, c, a mask, n, 4096</td>
 *     <td>of int64, numbers of a key and a place below it, in the order of the 8 bits, those with
 *     equal ones in the order of x, masked; the sign of keys is flipped</td></tr>
 * <tr><td>{@code radix_counts}, {@code radix_places}</td>
 *     <td>such numbers, the number of tiles, l, and the other inputs</td>
 *     <td>the same of these</td></tr>
 * <tr><td>{@code merge_splits}</td>
 *     <td>such numbers x, l, the length w of a sorted run, n, 1</td>
 *     <td>of int64, for each tile of n of the merged pairs of runs, how many of the numbers before
 *     it are of the first run</td></tr>
 * <tr><td>{@code merge_tiles}</td>
 *     <td>x, the splits, l, w, how many numbers of each pair are needed, c, a mask, n</td>
 *     <td>of int64, those numbers of each merged pair, masked</td></tr>
 * <tr><td>{@code put}</td>
 *     <td>x, an index for each element, the number of x in a row, the length of a row of the result,
 *     1</td>
 *     <td>at the index in its row each element of x; others are not written</td></tr>
 * <tr><td>{@code bag_sum}</td>
 *     <td>a table of rows, indices of rows, the place among these where each bag begins, and the end
 *     of the last, a factor for each or one number, n</td>
 *     <td>for each bag the sum of its rows times their factors, in order</td></tr>
 * <tr><td>{@code bag_largest}</td><td>a table of rows, indices of rows, the places, n</td>
 *     <td>of int64, for each bag and column the index of the row with the largest element, the first
 *     of equal ones, or -1 for an empty bag</td></tr>
 * <tr><td>{@code bag_of_each}</td>
 *     <td>the place where each bag begins, and the end of the last, the number of bags, n, the
 *     threads for a bag</td>
 *     <td>of int64, the bag of each place</td></tr>
 * <tr><td>{@code bag_gradient}</td>
 *     <td>gradient of each bag, the number of places, indices of rows of the result, their places in
 *     the order of the indices, the bag of each place, a factor for each place or one number, n</td>
 *     <td>at each index the sum of the gradients times the factors, in that order; other rows are
 *     not written</td></tr>
 * <tr><td>{@code tril}, {@code triu}</td>
 *     <td>x, of matrices; the number of a diagonal, 0 for the main one, positive above it; the rows
 *     of a matrix, n</td>
 *     <td>x up to the diagonal, or from it on, in each row; else 0</td></tr>
 * <tr><td>{@code patches}</td><td>x, windows, the number of windows of a plane</td>
 *     <td>for each plane of x and each place of the kernel, the element there of each window, or 0
 *     in the padding</td></tr>
 * <tr><td>{@code patches_gradient}</td>
 *     <td>gradient, windows, the elements of a plane of the result</td>
 *     <td>for each element the sum of the gradients of the patches it is in</td></tr>
 * <tr><td>{@code max_pool_index}</td><td>x, windows, the number of windows of a plane</td>
 *     <td>of int64, the index in its plane of the largest element of each window: the first of
 *     equal ones, the last NaN, or -1 for a window in the padding</td></tr>
 * <tr><td>{@code max_pool}</td>
 *     <td>x, indices, the elements of a plane of x, the number of windows of a plane</td>
 *     <td>the elements at the indices, and negative infinity for -1</td></tr>
 * <tr><td>{@code max_pool_gradient}</td>
 *     <td>gradient, indices, windows, the elements of a plane of the result</td>
 *     <td>for each element the sum of the gradients with its index</td></tr>
 * <tr><td>{@code average_pool}, {@code average_pool_gradient}</td>
 *     <td>x or gradient, windows, 1 if they divide each axis as evenly as possible, else 0, 1 to
 *     count the padding, else 0, the divisor, 0 for the size of each window, the number of windows,
 *     or of elements, of a plane of the result</td>
 *     <td>the average of each window, or the gradient of x</td></tr>
 * <tr><td>{@code random_uniform}</td>
 *     <td>a key, the least number, a bound above all others, their random binary digits, 1</td>
 *     <td>random numbers, equal for equal keys</td></tr>
 * <tr><td>{@code random_normal}</td><td>a key, mean, standard deviation, 1</td>
 *     <td>normally distributed numbers</td></tr>
 * <tr><td>{@code random_mask}</td><td>a key, a probability times 2^32, a number, n, 1 or 4</td>
 *     <td>0 with the probability, else the number, in any order</td></tr>
 * <tr><td>{@code bernoulli}</td><td>a key, probabilities, 1</td>
 *     <td>1 with the probability, else 0</td></tr>
 * <tr><td>{@code count_positive}</td><td>weights, n</td>
 *     <td>of int64, the number of positive weights in each row, or -1 if one is negative, infinite
 *     or NaN</td></tr>
 * <tr><td>{@code running_shares}</td><td>weights, n</td>
 *     <td>of float64, the running sums of each row, divided by its largest weight</td></tr>
 * <tr><td>{@code multinomial}</td>
 *     <td>a key, running shares, weights, the length of a row of weights, the number to draw from
 *     each, 1</td>
 *     <td>of int64, places in the rows, drawn in proportion to their weights</td></tr>
 * <tr><td>{@code waiting_times}</td><td>a key, weights, 1</td>
 *     <td>of float64, logarithms of exponentially distributed numbers with the weights as rates,
 *     infinity for 0</td></tr>
 * <tr><td>{@code least_indices}</td><td>x, x, a number c, n</td>
 *     <td>of int64, for each row the places of the c least elements, in their order</td></tr>
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
