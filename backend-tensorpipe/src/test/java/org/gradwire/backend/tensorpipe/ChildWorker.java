package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.WorkerInfo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A worker in its own process, which serves requests and commands until its input ends. */
final class ChildWorker {
    /** Command to take all file descriptors; other bytes query its metrics. */
    static final char TAKE_DESCRIPTORS = 'd';

    static final char GIVE_DESCRIPTORS_BACK = 'b';

    private ChildWorker() {}

    /**
     * Join a group.
     *
     * @param args folder of the store, id of the worker, size of the group, settings as {@code
     *     key=value}
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
        var descriptors = new Descriptors();
        for (int command = System.in.read(); command >= 0; command = System.in.read()) {
            if (command == TAKE_DESCRIPTORS) {
                descriptors.takeAll();
                System.out.println("no descriptor is left");
            } else if (command == GIVE_DESCRIPTORS_BACK) {
                descriptors.releaseAll();
            } else {
                System.out.println(node.agent.debugInfo());
            }
        }
        node.agent.close();
        System.out.println("closed");
    }
}
