package org.gradwire.runtime.rref;

/**
 * Where a fork is: with a worker, or in bytes that a worker has written and nobody has loaded yet.
 */
record Holder(int worker, boolean inBytes) {

    boolean isWorker(int id) {
        return !inBytes && worker == id;
    }
}
