package org.gradwire.attack.site;

import java.util.ArrayList;
import java.util.List;

/** Runs commands as another user of this host; needs root. */
final class OtherUser {
    private static final String NOBODY = "65534";

    private OtherUser() {}

    static List<String> running(List<String> command) throws UnavailableException {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new UnavailableException("only root can run an attacker as another user");
        }
        List<String> all = new ArrayList<>();
        all.addAll(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
        all.addAll(command);
        return all;
    }
}
