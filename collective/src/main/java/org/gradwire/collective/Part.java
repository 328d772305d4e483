package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A message of an operation: tensors, or only the fact that its sender has begun the operation.
 *
 * @param group digest of the {@link GroupId}
 * @param number of the operation in its {@link Sequence}, from 1
 * @param identity with the first operation of a sequence only
 * @param step of the operation, from 0
 * @param request to acknowledge when this worker has begun the operation
 */
record Part(
        long group,
        long number,
        @Nullable GroupId identity,
        int step,
        Signature signature,
        List<Tensor> tensors,
        IncomingRequest request) {

    /** Most steps of an operation. */
    static final int STEPS = 2;

    private static final int TENSOR_BYTES = 64; // on the heap, in a list; values are charged apart

    static void write(Output out, GroupId identity, Round round, int step, List<Tensor> tensors) {
        out.writeLong(round.group());
        out.writeLong(round.number());
        if (round.number() == 1) {
            identity.write(out);
        }
        out.writeInt(step);
        round.signature().write(out);
        out.writeInt(tensors.size());
        tensors.forEach(out::writeValue);
    }

    static Part read(IncomingRequest request) {
        Input in = request.body();
        long group = in.readLong();
        long number = in.readLong();
        if (number < 1) {
            throw new DecodingException("operations are counted from 1, not " + number);
        }
        GroupId identity = number == 1 ? GroupId.read(in) : null;
        int step = in.readCount(STEPS - 1);
        Signature signature = Signature.read(in);
        List<Tensor> tensors = readTensors(in, signature.isSparse());
        var part = new Part(group, number, identity, step, signature, tensors, request);
        part.requireMessage();
        return part;
    }

    private static List<Tensor> readTensors(Input in, boolean sparse) {
        int count = in.readCount(in.remaining(), TENSOR_BYTES);
        List<Tensor> tensors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tensors.add(readTensor(in, sparse));
        }
        return tensors;
    }

    private static Tensor readTensor(Input in, boolean sparse) {
        if (!(in.readValue() instanceof Tensor tensor)) {
            throw new DecodingException("a member of a group sent something else than a tensor");
        }
        if (tensor.isSparse() != sparse || !tensor.device().isCpu() || tensor.requiresGrad()) {
            throw new DecodingException(
                    "members exchange %s tensors in host memory here, without gradients"
                            .formatted(sparse ? "sparse" : "dense"));
        }
        if (sparse && !tensor.isCoalesced()) {
            throw new DecodingException("members exchange coalesced sparse tensors");
        }
        return tensor;
    }

    private void requireMessage() {
        if (isToOne() && (step > 0 || tensors.size() != 1 || !signature.isBare())) {
            throw new DecodingException(
                    "a message from one member to another is one tensor, without steps and arguments");
        }
    }

    /** {@return whether this is a message from one member to another} */
    boolean isToOne() {
        return signature.operation() == Operation.SEND;
    }

    int from() {
        return request.from();
    }

    /** Notify the sender that this worker has begun the operation, or will not. */
    void acknowledge() {
        request.reply(MessageTypes.COLLECTIVE_ACK, _ -> {});
    }
}
