package com.example.words;

import org.gradwire.rpc.RemoteCallable;

import java.util.Map;
import java.util.TreeMap;

/** How often each word came; other workers call its methods where it lives. */
@RemoteCallable
public final class WordCount {
    private final Map<String, Integer> counts = new TreeMap<>();

    /** {@return how many different words have come so far} */
    public synchronized int add(String text) {
        for (String word : text.split(" ")) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts.size();
    }

    public synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }
}
