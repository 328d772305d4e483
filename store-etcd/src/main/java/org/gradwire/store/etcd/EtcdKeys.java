package org.gradwire.store.etcd;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys of a run in etcd. */
record EtcdKeys(String job, String run) {

    /** {@return the key that names the current run of a job} */
    static byte[] current(String job) {
        return ascii(job + "/run");
    }

    /** {@return the prefix of all keys of the run} */
    byte[] all() {
        return ascii(job + "/" + run + "/");
    }

    /** {@return the key that exists while the run does} */
    byte[] open() {
        return below("open");
    }

    /** {@return the prefix of the keys that show which workers run} */
    byte[] alive() {
        return below("alive/");
    }

    /** {@return the key that shows that a worker runs} */
    byte[] alive(int id, String client) {
        return below("alive/" + id + "/" + client);
    }

    /** {@return the prefix of the keys that show which ranks were taken} */
    byte[] ranks() {
        return below("rank/");
    }

    byte[] rank(int rank) {
        return below("rank/" + rank);
    }

    /** {@return the key of the last change that one thread of a worker made} */
    byte[] writer(String client, int number) {
        return below("writer/" + client + "/" + number);
    }

    /** {@return the key of an entry of the store, which may be any text} */
    byte[] entry(String key) {
        byte[] prefix = below("key/");
        var bytes = new ByteArrayOutputStream();
        try {
            new DataOutputStream(bytes).writeUTF(key); // every text has other bytes
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] text = bytes.toByteArray();
        byte[] whole = Arrays.copyOf(prefix, prefix.length + text.length - Short.BYTES);
        System.arraycopy(text, Short.BYTES, whole, prefix.length, text.length - Short.BYTES);
        return whole;
    }

    /** {@return the id of a worker in a key below {@link #alive()}; -1 if it has none} */
    int idOf(byte[] aliveKey) {
        String[] rest = new String(aliveKey, StandardCharsets.US_ASCII).split("/", -1);
        try {
            return rest.length < 2 ? -1 : Integer.parseInt(rest[rest.length - 2]);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private byte[] below(String key) {
        return ascii(job + "/" + run + "/" + key);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
