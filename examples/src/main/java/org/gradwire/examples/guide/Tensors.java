package org.gradwire.examples.guide;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.Autocast;
import org.gradwire.autograd.GradMode;
import org.gradwire.nn.Linear;
import org.gradwire.optim.GradScaler;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.io.SafeTensors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Page 3: tensors and local gradients. */
final class Tensors {

    private Tensors() {}

    static void run(Rpc rpc) throws IOException {
        compute();
        differentiate();
        mixPrecision();
        send(rpc);
        giveBack(rpc);
        save();
    }

    private static void compute() {
        Tensor x = Tensor.of(new float[][] {{1, 2, 3}, {4, 5, 6}});
        Tensor scaled = x.mul(2).add(1);
        Tensor rows = x.matmul(Tensor.ones(3, 1)); // sums of rows
        Tensor column = x.narrow(1, 0, 1); // a view: shares the memory of x
        IO.println(scaled.sum().item() + " " + rows.t() + " " + column.t());
    }

    private static void differentiate() {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        w.mul(w).sum().backward();
        Tensor gradient = requireNonNull(w.grad());
        IO.println("the gradient: " + gradient);
        try (var _ = GradMode.noGrad()) {
            w.add_(gradient, -0.1); // in place, and not recorded
        }
        IO.println("a step along it: " + w.detach());
    }

    private static void mixPrecision() {
        var layer = new Linear(4, 1, 7);
        var optimizer = new SGD(layer.parameters(), 0.1);
        var scaler = new GradScaler();
        Tensor loss;
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            loss = layer.forward(Tensor.ones(8, 4)).square().sum(); // float32: a sum
        }
        scaler.scale(loss).backward();
        scaler.step(optimizer); // not with a gradient that is infinite or NaN
        scaler.update();
        IO.println("the loss in mixed precision: " + loss.detach());
    }

    private static void send(Rpc rpc) {
        Tensor a = Tensor.ones(2, 3);
        IO.println("computed on worker1: " + rpc.rpcSync("worker1", Ops::matmul, a, a.t()));
    }

    private static void giveBack(Rpc rpc) {
        Tensor queries = Tensor.ones(200, 100);
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            try (var scope = TensorScope.open()) {
                Tensor scores = scope.add(rpc.rpcSync("worker1", Scores::of, queries, queries));
                sum += scores.sum().item();
            }
        }
        IO.println("three times 200 rows: " + Math.round(sum));
    }

    private static void save() throws IOException {
        Path file = Files.createTempFile("guide", ".safetensors");
        SafeTensors.save(file, Map.of("weight", Tensor.eye(2)));
        IO.println("loaded: " + SafeTensors.load(file).get("weight"));
        Files.delete(file);
    }
}
