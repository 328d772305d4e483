package org.gradwire.launcher;

/** Validates the rendezvous that a user gives. */
final class Rendezvous {

    private Rendezvous() {}

    /** {@return the rendezvous of another launcher's group} */
    static String join(String address) {
        if (!address.matches("\\S+:\\d{1,5}")) {
            throw new LauncherException(
                    "--join " + address + " must be HOST:PORT, as in the other's --rendezvous");
        }
        return "tcp://" + address;
    }

    /** {@return a validated rendezvous} */
    static String of(String uri) {
        if (!uri.matches("[a-z]+://.*")) {
            throw new LauncherException(
                    "--rendezvous "
                            + uri
                            + " must be tcp://HOST:PORT, etcd://HOST:PORT/JOB or file:///PATH");
        }
        return uri;
    }
}
