package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;

/** Starts and ends the group of each test, and resolves parameters to its workers. */
final class GradwireExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(GradwireExtension.class);

    GradwireExtension() {}

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        store(context).put(Group.class, Group.start(GroupPlan.of(context)));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Group group = store(context).remove(Group.class, Group.class);
        if (group == null) {
            return; // the group did not start
        }
        try {
            context.getExecutionException().ifPresentOrElse(group::endAfter, group::end);
        } finally {
            if (group.seedMatters()) {
                context.publishReportEntry(
                        GroupPlan.SEED_PROPERTY, Integer.toString(group.workers().seed()));
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return parameter.isAnnotated(Worker.class)
                || type == Rpc.class
                || type == Workers.class
                || isListOfWorkers(parameter.getParameter().getParameterizedType());
    }

    private static boolean isListOfWorkers(Type type) {
        return type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && list.getActualTypeArguments()[0] == Rpc.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Group group = store(context).get(Group.class, Group.class);
        if (group == null) {
            throw new ParameterResolutionException(
                    "%s cannot have workers, since each test has its own: take them as parameters of the test, or of methods marked @BeforeEach or @AfterEach"
                            .formatted(parameter.getDeclaringExecutable()));
        }
        Class<?> type = parameter.getParameter().getType();
        Worker named = parameter.findAnnotation(Worker.class).orElse(null);
        if (named != null && type != Rpc.class) {
            throw new ParameterResolutionException(
                    "@Worker(%d) is on a parameter of type %s; a worker is an Rpc"
                            .formatted(named.value(), type.getName()));
        }
        Workers workers = group.workers();
        if (type == Rpc.class) {
            return worker(workers, named == null ? 0 : named.value());
        }
        return type == Workers.class ? workers : workers.all();
    }

    private static Rpc worker(Workers workers, int rank) {
        if (rank < 0 || rank >= workers.size()) {
            throw new ParameterResolutionException(
                    "there is no @Worker(%d): the group has %d, from 0 on"
                            .formatted(rank, workers.size()));
        }
        return workers.get(rank);
    }
}
