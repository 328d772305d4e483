package org.gradwire.runtime.rref;

/**
 * The holder of a fork: a worker, or bytes that a worker has written and no worker has loaded yet.
 */
record ForkHolder(int worker, boolean inBytes) {

    boolean isWorker(int id) {
        return !inBytes && worker == id;
    }
}
