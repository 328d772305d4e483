package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.CheckpointStorageProvider;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;
import org.gradwire.spi.process.JvmSettings;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The provider of storages in S3. It is an extension of workers too, so that they know its
 * settings.
 */
public final class S3Provider implements CheckpointStorageProvider, RpcExtensionProvider {

    /** For the ServiceLoader. */
    public S3Provider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(S3Address.SCHEME);
    }

    @Override
    public CheckpointStorage open(String address) {
        S3Address parsed = S3Address.parse(address);
        S3Settings settings =
                S3Settings.read(
                        new JvmSettings(S3Settings.ALL),
                        name -> Optional.ofNullable(System.getenv(name)));
        return new S3Storage(parsed, settings);
    }

    @Override
    public String name() {
        return S3Address.SCHEME;
    }

    @Override
    public List<Setting> settings() {
        return S3Settings.ALL;
    }

    @Override
    public RpcExtension create(Worker worker) {
        new JvmSettings(S3Settings.ALL).requireNoOther(worker.settings());
        return new RpcExtension() {};
    }
}
