package org.gradwire.attack.victim;

import org.gradwire.rpc.WireValue;

/** An enum that may travel. */
@WireValue
public enum Color {
    RED,
    GREEN
}
