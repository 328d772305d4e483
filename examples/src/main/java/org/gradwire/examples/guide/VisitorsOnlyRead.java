package org.gradwire.examples.guide;

import org.gradwire.security.AuthorizationRequest;
import org.gradwire.security.Authorizer;

/** Lets workers whose names begin with {@code visitor} fetch values and do nothing else. */
public final class VisitorsOnlyRead implements Authorizer {

    /** For the ServiceLoader. */
    public VisitorsOnlyRead() {}

    @Override
    public boolean isPermitted(AuthorizationRequest request) {
        return !request.caller().name().startsWith("visitor")
                || request.action().equals("gradwire::fetch");
    }
}
