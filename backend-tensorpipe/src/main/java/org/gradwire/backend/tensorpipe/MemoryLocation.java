package org.gradwire.backend.tensorpipe;

/**
 * Where the proof of a peer lies that lets its memory be read.
 *
 * @param pid of the peer's process, as the kernel gives it
 * @param proofAddress in that process
 * @param proof the bytes at that address, chosen by the reader
 */
record MemoryLocation(int pid, long proofAddress, Nonce proof) {}
