package org.gradwire.nn;

/**
 * A {@link Module} that can be sent between workers by value: as an argument or result, inside
 * containers, or by {@link org.gradwire.rpc.Serialization#toBytes}.
 *
 * <p>The message holds its configuration and state. The receiver calls the public constructor that
 * takes the configuration and loads the state: the values of all parameters and buffers of the
 * module and its descendants, whether they require gradients, and the training modes. Gradients and
 * other fields are not sent; the constructor must derive those fields from the configuration. The
 * copy shares nothing with the original.
 *
 * <p>The class is public, in an exported package if it is in a named module, and marked {@link
 * org.gradwire.rpc.WireValue}; and so is the record. A child in the configuration is sent with its
 * own configuration; the constructor creates the others.
 *
 * {@snippet :
 * @WireValue
 * public final class Scale extends Module implements WireModule<Scale.Configuration> {
 *     @WireValue
 *     public record Configuration(int features) {}
 *
 *     private final Tensor factors;
 *
 *     public Scale(Configuration configuration) {
 *         factors = registerParameter("factors", Tensor.ones(configuration.features()));
 *     }
 *
 *     @Override
 *     public Configuration configuration() {
 *         return new Configuration(factors.size(0));
 *     }
 * }
 * }
 *
 * @param <C> type of the configuration; its components are any wire values: numbers, strings,
 *     lists, tensors, references, other modules
 */
public interface WireModule<C extends Record> {

    /** {@return a configuration that reconstructs the structure of this module} */
    C configuration();
}
