package org.gradwire.nn;

/**
 * A {@link Module} that may travel between workers by value: as an argument, as a result, inside of
 * containers, or in {@link org.gradwire.rpc.Rpc#toBytes}.
 *
 * <p>What is sent is its configuration and its state. The receiver makes the module again with the
 * public constructor that takes the configuration, and gives it the state: the values of all
 * parameters and buffers of it and its children, whether they require gradients, and the modes.
 * Gradients stay, and so does whatever else a module has in its fields; the configuration must lead
 * to it. The copy shares nothing with the original.
 *
 * <p>The class is public, in an exported package if it is in a named module, and marked {@link
 * org.gradwire.rpc.WireValue}; and so is the record. A child that is in the configuration travels
 * with its own; one that is not is made by the constructor.
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
 * @param <C> type of the configuration; its components are anything that may travel: numbers,
 *     texts, lists, tensors, references, other modules
 */
public interface WireModule<C extends Record> {

    /** {@return what a module of the same structure can be made from} */
    C configuration();
}
