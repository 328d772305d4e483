package org.gradwire.runtime.authorization;

import java.util.List;

/**
 * A rule of a policy: the workers of some names may perform the actions of some names.
 *
 * @param text as written
 */
record PolicyRule(String text, List<NamePattern> workers, List<NamePattern> actions) {

    boolean concerns(String worker) {
        return workers.stream().anyMatch(pattern -> pattern.matches(worker));
    }

    boolean permits(String worker, String action) {
        return concerns(worker) && actions.stream().anyMatch(pattern -> pattern.matches(action));
    }
}
