package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** File descriptors of this process, taken so that none is left. */
final class Descriptors {
    private final List<DatagramChannel> taken = new ArrayList<>();

    /** Take all; those that others give back too. */
    void takeAll() {
        try {
            while (true) {
                taken.add(DatagramChannel.open());
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("Too many open files")) {
                throw new AssertionError("not for want of descriptors", e);
            }
        }
    }

    /** Give all back. */
    void releaseAll() throws IOException {
        for (DatagramChannel each : taken) {
            each.close();
        }
        taken.clear();
    }
}
