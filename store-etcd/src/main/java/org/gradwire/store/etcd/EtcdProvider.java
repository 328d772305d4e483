package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The provider of the stores in etcd. */
public final class EtcdProvider implements StoreProvider {

    /** For the ServiceLoader. */
    public EtcdProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(EtcdAddress.PLAIN, EtcdAddress.TLS);
    }

    @Override
    public String form() {
        return EtcdAddress.FORM;
    }

    @Override
    public List<Setting> settings() {
        return EtcdSettings.ALL;
    }

    @Override
    public Map<String, String> defaults() {
        return Map.of(EtcdSettings.MEMBER_LEASE, EtcdSettings.MEMBER_LEASE_DEFAULT);
    }

    @Override
    public boolean isReachable(String address) {
        return EtcdAddress.parse(address).isReachable();
    }

    @Override
    public Store open(StoreContext context) {
        EtcdAddress address = EtcdAddress.parse(context.address());
        EtcdSettings settings = EtcdSettings.read(context.settings());
        var client = new EtcdClient(address, settings, EtcdTls.context(address, context));
        try {
            return EtcdStore.open(client, address, settings, context);
        } catch (RpcConfigurationException e) {
            client.close();
            throw e;
        } catch (RpcException e) {
            client.close();
            throw new RpcConfigurationException(
                    "cannot use the store of job %s in etcd: %s"
                            .formatted(address.job(), e.getMessage()),
                    e);
        }
    }
}
