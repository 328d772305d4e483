package org.gradwire.conformance.harness;

import java.util.List;

/** The host of a process of a {@link ProcessWorld}. */
public interface ProcessHost {
    /** The host of the test itself. */
    ProcessHost LOCAL =
            new ProcessHost() {
                @Override
                public List<String> enter(List<String> command) {
                    return command;
                }

                @Override
                public String address() {
                    return "127.0.0.1";
                }
            };

    /** Return the command that runs a command on this host. */
    List<String> enter(List<String> command);

    /** {@return the address at which processes on all hosts reach this one} */
    String address();
}
