package org.gradwire.store.etcd.tests;

import org.gradwire.spi.Store;

import java.util.concurrent.CountDownLatch;

/** A process that opens a store as rank 0, takes its rank and waits to be killed. */
public final class Holder {
    private Holder() {}

    /** Run until the process is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        String address = System.getProperty("test.address", "");
        Store store = EtcdStores.open(address, 0, Integer.getInteger("test.size", 0));
        store.add("rank/0", 1);
        store.set("name/0", new byte[0]);
        new CountDownLatch(1).await();
    }
}
