package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.store.StoreContext;

import java.net.URI;

/** Parses rendezvous addresses. */
final class StoreAddress {
    private StoreAddress() {}

    /**
     * Parse an address.
     *
     * @param form of the provider's addresses
     * @throws RpcConfigurationException when it is not a URI
     */
    static URI parse(String address, String form) {
        try {
            return URI.create(address);
        } catch (IllegalArgumentException _) {
            throw StoreContext.malformed(address, form);
        }
    }
}
