package org.gradwire.conformance.cases.autograd;

import org.gradwire.conformance.harness.Case;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Cases of the graphs that calls with sparse tensors record, and of the end of their contexts. */
public abstract class SparseGraphCases extends AutogradSuite {

    /** For subclasses. */
    protected SparseGraphCases() {}

    static Tensor sparse() {
        return AutogradFunctions.sparse();
    }

    private static Tensor plain() {
        return sparse().requiresGrad(false);
    }

    @Case("DA-001")
    void callOfAnOperatorWithSparseTensorsIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self -> GraphCases.graph(self, Mode.SYNC, Ops::add, sparse(), sparse()));
    }

    @Case("DA-002")
    void callOfAFunctionWithSparseTensorsIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self ->
                        GraphCases.graph(
                                self, Mode.SYNC, AutogradFunctions::add, sparse(), sparse()));
    }

    @Case("DA-003")
    void remoteCallOfAnOperatorWithSparseTensorsIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self -> GraphCases.graph(self, Mode.REMOTE, Ops::add, sparse(), sparse()));
    }

    @Case("DA-004")
    void remoteCallOfAFunctionWithSparseTensorsIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self ->
                        GraphCases.graph(
                                self, Mode.REMOTE, AutogradFunctions::add, sparse(), sparse()));
    }

    @Case("DA-005")
    void nestedCallsWithSparseTensorsAreRecordedAllTheWay() {
        world(WORLD_SIZE).run(self -> GraphCases.nested(self, Mode.SYNC, sparse(), sparse()));
    }

    @Case("DA-006")
    void nestedRemoteCallsWithSparseTensorsAreRecordedAllTheWay() {
        world(WORLD_SIZE).run(self -> GraphCases.nested(self, Mode.REMOTE, sparse(), sparse()));
    }

    @Case("DA-007")
    void callsThatComeBackWithSparseTensorsAreRecordedInOneContext() {
        world(WORLD_SIZE).run(self -> GraphCases.nestedToSelf(self, Mode.SYNC, sparse(), sparse()));
    }

    @Case("DA-008")
    void remoteCallsThatComeBackWithSparseTensorsAreRecordedInOneContext() {
        world(WORLD_SIZE)
                .run(self -> GraphCases.nestedToSelf(self, Mode.REMOTE, sparse(), sparse()));
    }

    @Case("DA-009")
    void sparseTensorsWithoutGradientLeaveNoGraph() {
        world(WORLD_SIZE).run(self -> GraphCases.noGraph(self, Mode.SYNC, plain(), plain()));
    }

    @Case("DA-010")
    void sparseTensorsWithoutGradientLeaveNoGraphAfterRemoteCalls() {
        world(WORLD_SIZE).run(self -> GraphCases.noGraph(self, Mode.REMOTE, plain(), plain()));
    }

    @Case("DA-011")
    void sparseTensorsWithinAListAreRecordedInTheirOrder() {
        world(WORLD_SIZE).run(self -> GraphCases.list(self, Mode.SYNC, SparseGraphCases::sparse));
    }

    @Case("DA-012")
    void sparseTensorsWithinAListOfARemoteCallAreRecordedInTheirOrder() {
        world(WORLD_SIZE).run(self -> GraphCases.list(self, Mode.REMOTE, SparseGraphCases::sparse));
    }

    @Case("DA-013")
    void contextsAreGoneEverywhereAfterCallsWithSparseTensors() {
        world(WORLD_SIZE).run(self -> CleanUp.afterCalls(self, sparse(), sparse()));
    }

    @Case("DA-014")
    void contextsAreGoneEverywhereAfterCallsWithoutGradients() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor tensor = plain();
                    CleanUp.afterCalls(self, tensor, tensor);
                });
    }

    @Case("DA-015")
    void contextsAreGoneEverywhereAfterNestedCallsWithSparseTensors() {
        world(WORLD_SIZE).run(self -> CleanUp.afterNestedCalls(self, sparse(), sparse()));
    }
}
