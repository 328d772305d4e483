package org.gradwire.backend.tensorpipe.driver;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory for datagrams that are opened: as they were received, and their frames. One for a driver,
 * confined to its thread.
 */
final class OpenedDatagrams {
    private static final int MOST_BYTES = 64 * 1024;

    final byte[] received = new byte[MOST_BYTES];
    final byte[] opened = new byte[MOST_BYTES];
    final UnsafeBuffer frames = new UnsafeBuffer(opened);
}
