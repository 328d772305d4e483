package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** Exhausts the file descriptors of this process. */
public final class Descriptors {
    private final List<DatagramChannel> taken = new ArrayList<>();

    /** Take all free descriptors, including those that others release meanwhile. */
    public void takeAll() {
        try {
            while (true) {
                taken.add(DatagramChannel.open());
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("Too many open files")) {
                throw new AssertionError("not for lack of descriptors", e);
            }
        }
    }

    /** Release all taken descriptors. */
    public void releaseAll() throws IOException {
        for (DatagramChannel each : taken) {
            each.close();
        }
        taken.clear();
    }
}
