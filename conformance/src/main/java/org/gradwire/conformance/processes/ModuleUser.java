package org.gradwire.conformance.processes;

import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Program of a worker whose group's last member owns a module and is then killed. Reads commands
 * and answers each with a line: {@code make} creates a module on each other member, {@code use}
 * uses all of them in every way, {@code close} closes them.
 */
public final class ModuleUser {
    private final Rpc rpc;
    private final List<RemoteModule<Linear>> modules = new ArrayList<>();

    private ModuleUser(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new ModuleUser(rpc)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "make" -> make();
            case "use" -> String.join(" ", modules.stream().map(this::use).toList());
            case "close" -> close();
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String make() {
        for (int i = 1; i < rpc.workers().size(); i++) {
            modules.add(RemoteModule.create(rpc, "worker" + i, Linear::new, 2, 3, 7L));
        }
        return "" + modules.size();
    }

    private String use(RemoteModule<Linear> module) {
        return "forward=%s later=%s parameters=%s train=%s again=%s"
                .formatted(
                        outcome(() -> forward(module)),
                        outcome(() -> shape(module.forwardAsync(Linear::forward, input()).join())),
                        outcome(() -> module.remoteParameters().size()),
                        outcome(() -> module.train().on()),
                        outcome(() -> another(module.on())));
    }

    private static String forward(RemoteModule<Linear> module) {
        return shape(module.forward(Linear::forward, input()));
    }

    /** Create a module; a failure shows at its first use. */
    private String another(String on) {
        try (var module = RemoteModule.create(rpc, on, Linear::new, 2, 3, 7L)) {
            return forward(module);
        }
    }

    private static Tensor input() {
        return Tensor.ones(1, 2);
    }

    private static String shape(Tensor tensor) {
        return Arrays.toString(tensor.shape()).replace(" ", "");
    }

    private String close() {
        modules.forEach(RemoteModule::close);
        return "done";
    }

    private static String outcome(Supplier<Object> action) {
        try {
            return String.valueOf(action.get());
        } catch (RpcException e) {
            return e.kind().name();
        }
    }
}
