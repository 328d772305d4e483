package org.gradwire.examples.train;

import org.gradwire.rpc.WireValue;

import java.util.List;

/** A value that a trainer sends to all trainers. */
public sealed interface TrainerValue {

    /** {@return the number of the view in which the trainer is} */
    long view();

    /** A trainer's wish for more steps. */
    @WireValue
    record Vote(long view, boolean wantsMore) implements TrainerValue {}

    /** The beginning of a trainer, which has the model if it is the first one. */
    @WireValue
    record Start(long view, List<ModelParts> parts) implements TrainerValue {}
}
