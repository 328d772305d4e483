package org.gradwire.runtime.tests.functions;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerEncoder;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Modules that travel, and some that cannot. */
public final class TravellingModules {

    private TravellingModules() {}

    /** Return the argument. */
    @RemoteCallable
    public static Module echo(Module module) {
        return module;
    }

    /** Change the argument in place. */
    @RemoteCallable
    public static void spoil(Linear layer) {
        layer.train(false);
        layer.weight().requiresGrad(false);
        layer.weight().mul_(0);
    }

    /** A module with its own child, a given child, a parameter and buffers. */
    @WireValue
    public static final class Tree extends Module implements WireModule<Tree.TreeParts> {
        private final Module given;

        /** The given child. */
        @WireValue
        public record TreeParts(Module given) {}

        public Tree(TreeParts configuration) {
            given = registerModule("given", configuration.given());
            registerModule("own", new Linear(1, 2));
            registerParameter("scale", Tensor.ones(3));
            registerBuffer("mean", Tensor.zeros(2));
            registerBuffer("calls", Tensor.scalar(0), false);
        }

        @Override
        public TreeParts configuration() {
            return new TreeParts(given);
        }
    }

    /** A module that its receiver creates differently from its sender. */
    @WireValue
    public static final class Changeling extends Module implements WireModule<Changeling.Change> {
        private final String change;

        /** The kind of the difference. */
        @WireValue
        public record Change(String change) {}

        /** Create a module with a difference. */
        public Changeling(String change) {
            this.change = change;
            registerParameter("weight", change.equals("overlap") ? overlapping() : Tensor.ones(2));
        }

        /** {@return a large matrix whose entries share a few elements} */
        private static Tensor overlapping() {
            return Tensor.ones(5999).expand(2, 5999);
        }

        public Changeling(Change configuration) {
            this(configuration.change(), configuration.change());
        }

        private Changeling(String change, String seen) {
            this.change = change;
            switch (seen) {
                case "name" -> registerParameter("other", Tensor.ones(2));
                case "shape" -> registerParameter("weight", Tensor.ones(1, 2));
                case "type" -> registerBuffer("weight", Tensor.zeros(DType.INT64, 2));
                case "parameters" -> {
                    registerParameter("weight", Tensor.ones(2));
                    registerParameter("bias", Tensor.ones(2));
                }
                case "children" -> registerModule("weight", new Linear(1, 1));
                case "elements", "overlap" -> registerModule("weight", new Linear(3000, 3000));
                case "buffers" -> registerBuffer("weight", Tensor.zeros(3000, 3000));
                case "layers" ->
                        registerModule(
                                "weight",
                                new TransformerEncoder(
                                        TransformerConfiguration.of(1, 1).dimFeedforward(1),
                                        4096,
                                        7));
                default -> throw new IllegalStateException("I will not be: " + seen);
            }
        }

        @Override
        public Change configuration() {
            return new Change(change);
        }
    }

    /** A module without a mark. */
    public static class Unmarked extends Module {
        public Unmarked() {}
    }

    /** A marked module without a configuration. */
    @SuppressWarnings("gradwire") // refused when it is sent
    @WireValue
    public static final class Unmakeable extends Module {
        public Unmakeable() {}
    }

    /** A marked module whose constructor for its configuration is not public. */
    @SuppressWarnings("gradwire") // refused when it is sent
    @WireValue
    public static final class Lacking extends Module implements WireModule<Lacking.Names> {

        /** A configuration without a public constructor. */
        @WireValue
        public record Names(List<String> names) {}

        public Lacking() {
            this(new Names(List.of()));
        }

        @SuppressWarnings("unused") // no module of a program is made by it
        Lacking(Names configuration) {}

        @Override
        public Names configuration() {
            return new Names(List.of());
        }
    }

    /** The configuration of a module that is not public. */
    @WireValue
    public record Size(int number) {}

    /** {@return a marked module that is not public} */
    public static Module hidden() {
        return new OutOfReach(new Size(1));
    }

    @SuppressWarnings("gradwire") // refused when it is sent
    @WireValue
    private static final class OutOfReach extends Module implements WireModule<Size> {

        OutOfReach(Size configuration) {
            registerParameter("weight", Tensor.ones(configuration.number()));
        }

        @Override
        public Size configuration() {
            return new Size(1);
        }
    }
}
