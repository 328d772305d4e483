package org.gradwire.attack.victim;

import org.gradwire.rpc.WireValue;

import java.util.List;

/** A record that is a wire value. */
@WireValue
public record Sample(String name, int count, List<Integer> values) {
    public Sample {
        values = List.copyOf(values);
    }
}
