package org.gradwire.conformance;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

import org.gradwire.conformance.properties.ExpressionProgram;
import org.gradwire.conformance.properties.ExpressionProgram.Parameter;
import org.gradwire.conformance.properties.LeavingProgram;
import org.gradwire.conformance.properties.functions.Expression;
import org.gradwire.conformance.properties.functions.Expression.Operator;
import org.gradwire.conformance.properties.functions.Expression.Way;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Generators of random expression programs, and of faults for them. */
final class ExpressionArbitraries {
    static final int WORKERS = 5;
    private static final int DEPTH = 4;
    private static final int LATEST_MICROS = 20_000;
    private static final List<String> FAILING =
            List.of(
                    "RREF_FORK_REQUEST",
                    "RREF_CHILD_ACCEPT",
                    "RREF_USER_DELETE",
                    "CLEANUP_AUTOGRAD_CONTEXT_REQ",
                    "UDF_CALL",
                    "SCRIPT_CALL",
                    "UDF_REMOTE_CALL");
    private static final List<String> LOST =
            List.of("FORWARD_AUTOGRAD_REQ", "BACKWARD_AUTOGRAD_REQ");

    private ExpressionArbitraries() {}

    static Arbitrary<List<ExpressionProgram>> programs() {
        return program().list().ofMinSize(1).ofMaxSize(5);
    }

    /** {@return programs during which one worker leaves} */
    static Arbitrary<LeavingProgram> leavings() {
        return Combinators.combine(
                        programs(),
                        worker(),
                        Arbitraries.of(true, false, false),
                        Arbitraries.integers().between(0, LATEST_MICROS))
                .as(LeavingProgram::new);
    }

    private static Arbitrary<ExpressionProgram> program() {
        Arbitrary<Parameter> parameter =
                Combinators.combine(
                                Arbitraries.of(true, true, false),
                                Arbitraries.integers().between(-WORKERS, WORKERS - 1))
                        .as(Parameter::new);
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.integers().between(2, WORKERS),
                        worker(),
                        parameter.list().ofMinSize(1).ofMaxSize(4),
                        expression().list().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.of(1, 1, 2))
                .as(ExpressionProgram::new)
                .filter(ExpressionProgram::hasGradient);
    }

    private static Arbitrary<Integer> worker() {
        return Arbitraries.integers().between(0, WORKERS - 1);
    }

    private static Arbitrary<Expression> expression() {
        return Arbitraries.recursive(
                () ->
                        expression(
                                Arbitraries.of(
                                        Operator.PARAMETER, Operator.ROWS, Operator.SPARSE_ROWS),
                                Arbitraries.just(List.of())),
                operand ->
                        expression(
                                Arbitraries.of(
                                        Operator.ADD,
                                        Operator.MUL,
                                        Operator.MATMUL,
                                        Operator.TANH_OF_SUM),
                                operand.list().ofSize(2)),
                0,
                DEPTH);
    }

    private static Arbitrary<Expression> expression(
            Arbitrary<Operator> operator, Arbitrary<List<Expression>> operands) {
        return Combinators.combine(
                        operator,
                        operands,
                        Arbitraries.integers().between(0, 11),
                        worker(),
                        Arbitraries.of(Way.class))
                .as(Expression::new);
    }

    /** {@return settings of the faulty backend that make sends fail or delay them} */
    static Arbitrary<Map<String, String>> failures() {
        return Combinators.combine(
                        Arbitraries.of(FAILING).set().ofMaxSize(4),
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.integers().between(0, 20))
                .as((failing, sends, delay) ->
                        Map.of(
                                "gradwire.faulty.messages-to-fail", String.join(",", failing),
                                "gradwire.faulty.num-fail-sends", sends.toString(),
                                "gradwire.faulty.messages-to-delay",
                                        "UDF_CALL:%dms,SCRIPT_CALL:%1$dms".formatted(delay)));
    }

    /** {@return settings of the faulty backend that lose messages about contexts} */
    static Arbitrary<Map<String, String>> losses() {
        return Combinators.combine(
                        shares(),
                        shares(),
                        Arbitraries.integers().between(600, 900),
                        Arbitraries.integers())
                .as((requests, replies, timeout, seed) ->
                        Map.of(
                                "gradwire.faulty.requests-to-lose",
                                requests,
                                "gradwire.faulty.replies-to-lose",
                                replies,
                                "gradwire.rpc-timeout",
                                timeout + "ms",
                                "gradwire.faulty.seed",
                                seed.toString()));
    }

    private static Arbitrary<String> shares() {
        return Arbitraries.of(0.0, 0.02, 0.1)
                .list()
                .ofSize(LOST.size())
                .map(shares -> {
                    List<String> words = new ArrayList<>();
                    for (int i = 0; i < LOST.size(); i++) {
                        words.add(LOST.get(i) + ":" + shares.get(i));
                    }
                    return String.join(",", words);
                });
    }
}
