package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends tensors by name from one member to another: the names in one tensor, then each of them. */
final class NamedTensors {
    private static final String SEPARATOR = "\n";

    private NamedTensors() {}

    static void send(ProcessGroup group, Map<String, Tensor> tensors, int rank) {
        String names = String.join(SEPARATOR, tensors.keySet());
        group.sendTo(Tensor.of(names.codePoints().toArray()), rank);
        tensors.values().forEach(tensor -> group.sendTo(tensor.detach(), rank));
    }

    static Map<String, Tensor> receive(ProcessGroup group, int rank) {
        int[] characters = group.receiveFrom(rank).toIntArray();
        String names = new String(characters, 0, characters.length);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (String name : List.of(names.split(SEPARATOR))) {
            tensors.put(name, group.receiveFrom(rank));
        }
        return tensors;
    }
}
