package org.gradwire.checkpoint;

import org.gradwire.rpc.GroupView;

import java.util.List;
import java.util.Map;

/** A training that {@link ElasticTrainer} runs, and continues when the members have changed. */
@FunctionalInterface
public interface ElasticTraining {

    /**
     * {@return the names of the members that train, in the order of their ranks} They call {@link
     * #begin} and hold the states; the others serve their calls. The first member of the view is
     * among them. All members by default.
     */
    default List<String> trainers(GroupView view) {
        return view.names();
    }

    /**
     * Create models and optimizers on the members of a view, with the values of step 0: a state
     * that was saved is loaded into them afterwards.
     *
     * <p>Called on each trainer before the first step, and again after each change of the members.
     */
    Attempt begin(GroupView view);

    /** The training on the members of one view. Belongs to the thread that runs the trainer. */
    interface Attempt extends AutoCloseable {

        /** {@return the states of this member by name, as for {@link Checkpoint#save}} */
        Map<String, Stateful> states();

        /**
         * Continue after a number of steps, whose states were loaded. Not called if none was saved.
         */
        default void continueFrom(long steps) {}

        /** {@return whether there are more steps after this number; the same on all trainers} */
        boolean wantsMore(long steps);

        /**
         * Do a step, and wait for all its calls. If a member is lost meanwhile, it may fail
         * halfway.
         *
         * @param number of the step, from 1
         */
        void step(long number);

        /**
         * Report the result. Called on the first trainer, after the last state was saved, while the
         * others still serve; again if it is lost meanwhile.
         */
        default void finish() {}

        /** Release what this member uses, of which parts may be lost. */
        @Override
        void close();
    }
}
