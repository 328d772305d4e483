package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Nonce;

/**
 * The location of a peer's memory canary, which permits reads of its memory.
 *
 * @param pid id of the peer's process, from the kernel
 * @param proofAddress in that process
 * @param proof the bytes at that address, chosen by the reader
 */
public record MemoryLocation(int pid, long proofAddress, Nonce proof) {}
