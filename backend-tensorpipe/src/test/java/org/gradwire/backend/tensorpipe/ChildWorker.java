package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.WorkerInfo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A worker in a process of its own, which answers what it is asked until its input ends. */
final class ChildWorker {
    private ChildWorker() {}

    /**
     * Join a group.
     *
     * @param args folder of the store, own id, size of the group, settings as {@code key=value}
     */
    public static void main(String[] args) throws IOException {
        int size = Integer.parseInt(args[2]);
        Map<String, String> settings = new HashMap<>();
        for (int i = 3; i < args.length; i++) {
            int at = args[i].indexOf('=');
            settings.put(args[i].substring(0, at), args[i].substring(at + 1));
        }
        var store = new FileStore(Path.of(args[0]));
        var node = new Node(World.info(Integer.parseInt(args[1])), store, settings);
        node.agent.start(node);
        List<WorkerInfo> members = IntStream.range(0, size).mapToObj(World::info).toList();
        node.agent.connect(members);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // each byte is a question
            System.out.println(node.agent.debugInfo());
        }
        node.agent.close();
        System.out.println("closed");
    }
}
