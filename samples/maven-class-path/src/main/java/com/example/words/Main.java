package com.example.words;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

/** A worker; its rank is in its environment. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                count(rpc);
            }
        }
    }

    private static void count(Rpc rpc) {
        try (RRef<WordCount> words = rpc.remote("worker1", WordCount::new)) {
            words.rpcSync(WordCount::add, "to be or");
            words.rpcSync(WordCount::add, "not to be");
            System.out.println("worker1 counted " + words.rpcSync(WordCount::counts));
        }
    }
}
