package org.gradwire.examples.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.examples.Workers;
import org.junit.jupiter.api.Test;

class TourTest {
    @Test
    void tourPrintsItsResults() throws Exception {
        String printed =
                Workers.print(
                        2,
                        rpc -> {
                            if (rpc.self().id() == 0) {
                                Tour.tour(rpc, "worker1");
                            }
                        });
        assertEquals(
                """
                asynchronously: 4.0
                with keywords: tensor([[3., 3.],
                        [3., 3.]])
                it failed on worker1: java.lang.IllegalStateException
                the mean of the tensor on worker1: 2.0
                its size, when it is fetched: 1000
                a gradient through worker1: tensor([[6., 6., 6.],
                        [6., 6., 6.],
                        [6., 6., 6.]])
                loss: 0.2469066083431244
                loss: 0.039505064487457275
                loss: 0.006320807617157698
                profiled: rpc_sync#org.gradwire.examples.tour.Jobs.scale(worker0 -> worker1)
                it ran: rpc_sync#org.gradwire.examples.tour.Jobs.scale(worker0 -> worker1)#remote_op: aten::mul
                """,
                printed);
    }
}
