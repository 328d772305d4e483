package org.gradwire.nn.remote;

/**
 * Implemented by the typed proxies of a {@link RemoteModule}, besides the interface of its module.
 */
public interface RemoteProxy {

    /** {@return the module that the proxy calls} */
    RemoteModule<?> remoteModule();
}
