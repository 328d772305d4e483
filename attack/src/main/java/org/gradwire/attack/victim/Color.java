package org.gradwire.attack.victim;

import org.gradwire.rpc.WireValue;

/** An enum that is a wire value. */
@WireValue
public enum Color {
    RED,
    GREEN
}
