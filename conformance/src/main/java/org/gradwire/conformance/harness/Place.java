package org.gradwire.conformance.harness;

import java.util.List;

/** Where a process of a {@link ProcessWorld} runs. */
public interface Place {
    /** The host of the test itself. */
    Place HERE =
            new Place() {
                @Override
                public List<String> enter(List<String> command) {
                    return command;
                }

                @Override
                public String address() {
                    return "127.0.0.1";
                }
            };

    /** Return the command that runs a command there, in the process that is started for it. */
    List<String> enter(List<String> command);

    /** {@return the address at which processes of all places reach the ones there} */
    String address();
}
