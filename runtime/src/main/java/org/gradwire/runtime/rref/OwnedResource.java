package org.gradwire.runtime.rref;

/** A value of this worker that holds resources as long as references to it exist. */
public interface OwnedResource {

    /** Called when the last reference to the value is closed. Runs on a thread of the worker. */
    void released();
}
