package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a worker among the clients of its media driver. It includes the identity of the
 * worker's process, so that the driver notices its end at once.
 */
final class ClientName {
    private static final int MOST_OF_A_NAME = 40;
    private static final Pattern PROCESS = Pattern.compile("#(\\d+)-(\\d+)-(\\d+)(?!\\S)");

    private static final String PIDS = OperatingSystem.current().pidNamespace();

    private ClientName() {}

    /**
     * {@return a name for a client in this process, such as {@code worker1#4026531836-7012-845}}
     */
    static String of(String worker) {
        ProcessIdentity process = ProcessIdentity.self();
        String shown = worker.substring(0, Math.min(worker.length(), MOST_OF_A_NAME));
        return "%s#%s-%d-%d".formatted(shown, PIDS, process.pid(), process.startTicks());
    }

    /** {@return whether the label of a client's counter contains a name of this form} */
    static boolean isIn(String label) {
        return PROCESS.matcher(label).find();
    }

    /**
     * {@return whether the process of a client has certainly ended}
     *
     * @param label of the client's counter, which contains its name after its first heartbeat
     */
    static boolean hasEnded(String label) {
        Matcher process = PROCESS.matcher(label);
        return process.find()
                && process.group(1).equals(PIDS)
                && new ProcessIdentity(
                                Long.parseLong(process.group(2)), Long.parseLong(process.group(3)))
                        .hasEnded();
    }
}
