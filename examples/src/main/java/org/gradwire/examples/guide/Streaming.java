package org.gradwire.examples.guide;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.stream.RemoteStream;
import org.gradwire.rpc.stream.StreamOptions;

import java.util.Iterator;
import java.util.stream.Stream;

/** Page 2: functions whose values are streamed. */
public final class Streaming {

    private Streaming() {}

    static void run(Rpc rpc) {
        Call<Iterator<String>> call = Call.to(Streaming::words, "or not to be");
        try (RemoteStream<String> words =
                RemoteStream.ofIterator(
                        rpc, "worker1", call, StreamOptions.DEFAULT.withCredits(8))) {
            for (String word : words) {
                IO.println("a word: " + word);
            }
        }
    }

    @RemoteCallable
    public static Iterator<String> words(String text) {
        return Stream.of(text.split(" ", -1)).iterator();
    }
}
