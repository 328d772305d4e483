package org.gradwire.launcher;

/** Checks the forms in which a user says where the workers of a group meet. */
final class Rendezvous {

    private Rendezvous() {}

    /** {@return the place that another launcher's group has} */
    static String join(String address) {
        if (!address.matches("\\S+:\\d{1,5}")) {
            throw new LauncherException(
                    "--join " + address + " must be HOST:PORT, as in the other's --rendezvous");
        }
        return "tcp://" + address;
    }

    /** {@return a place that the user wrote, after a look at its form} */
    static String of(String uri) {
        if (!uri.matches("[a-z]+://.*")) {
            throw new LauncherException(
                    "--rendezvous " + uri + " must be tcp://HOST:PORT or file:///PATH");
        }
        return uri;
    }
}
