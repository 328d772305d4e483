package org.gradwire.backend.tensorpipe.os;

import org.gradwire.backend.tensorpipe.Descriptors;
import org.gradwire.backend.tensorpipe.TensorPipeAgent;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.rpc.RpcConfigurationException;

import java.io.IOException;
import java.nio.file.Path;

/** Queries processes and a driver's directory without a free file descriptor. */
final class StarvedLook {
    private StarvedLook() {}

    /**
     * Print the results without free descriptors, then with some.
     *
     * @param args a living process (number, start), one that has ended, and a driver's directory
     */
    public static void main(String[] args) throws IOException {
        var living = new ProcessIdentity(Long.parseLong(args[0]), Long.parseLong(args[1]));
        var ended = new ProcessIdentity(Long.parseLong(args[2]), Long.parseLong(args[3]));
        var directory = new DriverDirectory(Path.of(args[4]));
        TensorPipeAgent.prepare();
        look("before", living, ended, directory); // and load the classes
        var descriptors = new Descriptors();
        descriptors.takeAll();
        look("without", living, ended, directory);
        descriptors.releaseAll();
        look("after", living, ended, directory);
    }

    private static void look(
            String when, ProcessIdentity living, ProcessIdentity ended, DriverDirectory directory) {
        try (var watch = new ProcessWatch()) {
            watch.follow(living);
            watch.look();
            System.out.printf(
                    "%s: %s %s %s %s%n",
                    when,
                    living.status(),
                    watch.hasEnded(living),
                    ended.status(),
                    watch.hasEnded(ended));
            System.out.printf("%s followed: %s%n", when, watch.follows(living));
        }
        DriverDirectory.deleteAbandoned();
        System.out.printf("%s driver: %s%n", when, driver(directory));
    }

    private static String driver(DriverDirectory directory) {
        try {
            return directory.liveDriver().isPresent() ? "runs" : "none";
        } catch (RpcConfigurationException e) {
            return "unknown";
        }
    }
}
