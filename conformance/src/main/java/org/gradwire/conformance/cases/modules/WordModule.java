package org.gradwire.conformance.cases.modules;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** A module with one parameter of value 1: MyModule in PyTorch's tests. */
@RemoteCallable
@WireValue
public final class WordModule extends Module
        implements WordInterface, WireModule<WordModule.Configuration> {

    /** Constructor arguments of the module. */
    @WireValue
    public record Configuration(int firstArg, int firstKwarg) {}

    private final Configuration configuration;

    public WordModule(int firstArg, @Default("-1") int firstKwarg) {
        this(new Configuration(firstArg, firstKwarg));
    }

    public WordModule(Configuration configuration) {
        this.configuration = configuration;
        registerParameter("param1", Tensor.ones(1));
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Words forward(Tensor tensor, int number, @Default("default") String word) {
        return new Words(word, number, tensor);
    }

    /** Return the arguments in reverse order; two of them are tensors. */
    public TensorWords tensors(Tensor tensor, int number, Tensor word) {
        return new TensorWords(word, number, tensor);
    }

    /** {@return the devices of two tensors after their transfer} */
    public List<String> devicesOf(Tensor first, Tensor second) {
        return List.of(first.device().toString(), second.device().toString());
    }
}
