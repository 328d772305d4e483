package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A message of an operation: a tensor, or only the fact that its sender has begun the operation.
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
        @Nullable Tensor tensor,
        IncomingRequest request) {

    /** Most steps of an operation. */
    static final int STEPS = 2;

    static void write(
            Output out, GroupId identity, Round round, int step, @Nullable Tensor tensor) {
        out.writeLong(round.group());
        out.writeLong(round.number());
        if (round.number() == 1) {
            identity.write(out);
        }
        out.writeInt(step);
        round.signature().write(out);
        out.writeBoolean(tensor != null);
        if (tensor != null) {
            out.writeValue(tensor);
        }
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
        Tensor tensor = in.readBoolean() ? readTensor(in) : null;
        var part = new Part(group, number, identity, step, signature, tensor, request);
        part.requireMessage();
        return part;
    }

    private static Tensor readTensor(Input in) {
        if (!(in.readValue() instanceof Tensor tensor)) {
            throw new DecodingException("a member of a group sent something else than a tensor");
        }
        if (tensor.isSparse() || !tensor.device().isCpu() || tensor.requiresGrad()) {
            throw new DecodingException(
                    "members exchange dense tensors in host memory, without gradients");
        }
        return tensor;
    }

    private void requireMessage() {
        if (isToOne() && (step > 0 || tensor == null || !signature.isBare())) {
            throw new DecodingException(
                    "a message from one member to another is a tensor, without steps and arguments");
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
