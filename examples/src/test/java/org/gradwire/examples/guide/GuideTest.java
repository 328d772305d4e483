package org.gradwire.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.examples.Workers;
import org.junit.jupiter.api.Test;

/** Compares the output of the guide's code with its pages. */
class GuideTest {
    @Test
    void codePrintsTheOutputOfThePages() throws Exception {
        String printed =
                Workers.print(
                        3,
                        rpc -> {
                            if (rpc.self().id() == 0) {
                                Guide.run(rpc);
                            }
                        });
        assertEquals(
                """
                worker1 says: Summary[words=6, longest=not]
                both together: 6
                through worker1: 3
                [pipeline, stages]
                there and here: 6
                a separate thread: Summary[words=2, longest=to]
                a separate thread: Summary[words=4, longest=not]
                the counter on worker1: 16
                fetched from worker1: tensor([[2., 2.],
                        [2., 2.]])
                the same: [worker1, worker2]
                one each: [Summary[words=2, longest=to], Summary[words=4, longest=not]]
                one is enough: [2]
                as they came: 4
                the least busy: 3
                with the copies: [tensor([1., 2.]), tensor([2., 4.])]
                a word: or
                a word: not
                a word: to
                a word: be
                48.0 tensor([[ 6., 15.]]) tensor([[1., 4.]])
                the gradient: tensor([2., 4.])
                a step along it: tensor([0.8000, 1.6000])
                the loss in mixed precision: tensor(2.7101)
                computed on worker1: tensor([[3., 3.],
                        [3., 3.]])
                three times 200 rows: 600
                loaded: tensor([[1., 0.],
                        [0., 1.]])
                through worker1: tensor([2., 4.])
                left on worker1: tensor([ 1., 10.])
                through both at once: tensor([4., 8.])
                not part of the loss: 1 dimension
                the pass does not wait for worker2: tensor([2., 4.])
                trained: true, rates [0.05]
                continues with LearningRates[lrs=[0.05], momenta=[0.9]]
                two groups on the owner: [0.1, 0.1]
                the same loss as in one process: true
                the function failed on worker1 with java.lang.ArithmeticException
                too late: TIMEOUT
                cancelled: true
                asked until it was answered: 2
                failed on [worker1, worker2], done on []
                each knows the sum: [6.0, 6.0, 6.0]
                replicas: 1 loss, small: true
                trained to step 3, from [0, 0, 0]
                trained to step 5, from [3, 3, 3]
                replicas saved the steps [[200, 250], [200, 250], [200, 250]]
                """,
                printed);
    }
}
