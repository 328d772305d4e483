package com.example.words;

import org.gradwire.rpc.RemoteCallable;

import java.util.Map;
import java.util.TreeMap;

/** Frequencies of words; other workers call its methods through a reference. */
@RemoteCallable
public final class WordCount {
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Count the words of a text; {@return the number of distinct words so far} */
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
