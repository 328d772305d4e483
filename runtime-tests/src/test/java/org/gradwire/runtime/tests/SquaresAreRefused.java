package org.gradwire.runtime.tests;

import org.gradwire.security.AuthorizationRequest;
import org.gradwire.security.Authorizer;

/** Refuses one function; installed by {@link AuthorizerServiceTest} in a separate process. */
public final class SquaresAreRefused implements Authorizer {

    /** For the ServiceLoader. */
    public SquaresAreRefused() {}

    @Override
    public boolean isPermitted(AuthorizationRequest request) {
        if (request.action().endsWith("Numbers.zero")) {
            throw new IllegalStateException("it does not know");
        }
        return !request.action().endsWith("Numbers.square");
    }
}
