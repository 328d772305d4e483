package org.gradwire.launcher;

import picocli.CommandLine.Option;

import java.io.InputStream;
import java.util.Optional;

/** The options for a launcher that its standard input controls. */
final class InputOptions {
    @Option(
            names = "--end-with-input",
            description =
                    "End the workers when standard input ends, as at the end of an ssh connection."
                            + " The exit code is then 143.")
    private boolean endWithInput;

    @Option(
            names = "--part-of",
            hidden = true,
            paramLabel = "ADDRESS",
            description =
                    "For gradwire hosts: rank 0 is at this address; the first line of standard"
                            + " input has the secret and the port.")
    private Optional<String> address = Optional.empty();

    /** {@return the input with which the run ends; empty if it does not matter} */
    Optional<InputStream> input(InputStream stream) {
        return endWithInput || address.isPresent() ? Optional.of(stream) : Optional.empty();
    }

    /** {@return the part of a group that this launcher starts for {@code gradwire hosts}} */
    Optional<HostPart> part(InputStream stream) {
        return address.map(host -> HostPart.read(stream, host));
    }
}
