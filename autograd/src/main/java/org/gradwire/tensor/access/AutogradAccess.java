package org.gradwire.tensor.access;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Edge;
import org.gradwire.autograd.HookHandle;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

/**
 * The members of {@code org.gradwire.autograd} that only this module uses: the nodes of operators,
 * and the queries of tensors to their node.
 */
public final class AutogradAccess {
    private static @Nullable Members installed;

    /** Initialized at the first access, after {@link Node}. */
    private static final class Installed {
        static final Members MEMBERS = Initialization.members(Node.class, () -> installed);
    }

    private AutogradAccess() {}

    /** The gradient rule of an operator, with the values that one call saved. */
    public interface BackwardFunction {
        /** {@return the name of the node} */
        String nodeName();

        /** {@return the gradients of the inputs, null where they are zero or not needed} */
        @Nullable Tensor[] gradients(@Nullable Tensor[] gradients);

        /** Require that the saved values have not been freed. */
        void checkNotFreed();

        /** Release the saved values. */
        void free();
    }

    /** Implemented by the package of {@link Node}. */
    public interface Members {
        Node newOpNode(
                BackwardFunction function, @Nullable Edge[] edges, @Nullable ForwardCall call);

        Node newReplacedNode(String name, @Nullable Edge before, @Nullable Edge values);

        Node newCopySlicesNode(
                Tensor base, Tensor view, @Nullable Edge before, @Nullable Edge values);

        Node newAsStridedNode(Tensor base, Tensor view);

        int addInput(Node node, Tensor tensor);

        void retainGrad(Node node, int index, @Nullable Tensor tensor);

        boolean retainsGrad(Node node, int index);

        HookHandle addTensorHook(Node node, int index, Node.TensorHook hook);

        void variableChanged(AccumulateGrad accumulator);

        void backward(Tensor root, @Nullable Tensor gradient, boolean retainGraph);
    }

    /** Called by the static initializer of {@link Node}. */
    public static void install(Members members) {
        installed = members;
    }

    public static Node newOpNode(
            BackwardFunction function, @Nullable Edge[] edges, @Nullable ForwardCall call) {
        return Installed.MEMBERS.newOpNode(function, edges, call);
    }

    public static Node newReplacedNode(String name, @Nullable Edge before, @Nullable Edge values) {
        return Installed.MEMBERS.newReplacedNode(name, before, values);
    }

    public static Node newCopySlicesNode(
            Tensor base, Tensor view, @Nullable Edge before, @Nullable Edge values) {
        return Installed.MEMBERS.newCopySlicesNode(base, view, before, values);
    }

    public static Node newAsStridedNode(Tensor base, Tensor view) {
        return Installed.MEMBERS.newAsStridedNode(base, view);
    }

    public static int addInput(Node node, Tensor tensor) {
        return Installed.MEMBERS.addInput(node, tensor);
    }

    public static void retainGrad(Node node, int index, @Nullable Tensor tensor) {
        Installed.MEMBERS.retainGrad(node, index, tensor);
    }

    public static boolean retainsGrad(Node node, int index) {
        return Installed.MEMBERS.retainsGrad(node, index);
    }

    public static HookHandle addTensorHook(Node node, int index, Node.TensorHook hook) {
        return Installed.MEMBERS.addTensorHook(node, index, hook);
    }

    public static void variableChanged(AccumulateGrad accumulator) {
        Installed.MEMBERS.variableChanged(accumulator);
    }

    public static void backward(Tensor root, @Nullable Tensor gradient, boolean retainGraph) {
        Installed.MEMBERS.backward(root, gradient, retainGraph);
    }
}
