package org.gradwire.nn.remote;

/**
 * What the typed proxies of a {@link RemoteModule} implement beside the interface of its module.
 */
public interface RemoteProxy {

    /** {@return the module that the proxy calls} */
    RemoteModule<?> remoteModule();
}
