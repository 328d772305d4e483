package org.gradwire.processor;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.PackageElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;

/**
 * Checks that calls of asynchronous functions use {@code RpcFunction.async}, and so return the
 * future's value. Runs on each class after the compiler has attributed its method bodies.
 */
final class AsyncCallCheck implements TaskListener {
    private static final String CALLS = "org.gradwire.rpc";
    private static final String MODULE_CALLS = "org.gradwire.nn.remote";
    private static final String WRAPPING = "async";

    private final Trees trees;
    private final ProcessingEnvironment environment;

    private AsyncCallCheck(ProcessingEnvironment environment) {
        this.trees = Trees.instance(environment);
        this.environment = environment;
    }

    /** Register the check; only javac gives access to method bodies. */
    static void install(ProcessingEnvironment environment) {
        try {
            JavacTask.instance(environment).addTaskListener(new AsyncCallCheck(environment));
        } catch (IllegalArgumentException _) {
            // Unchecked: the runtime refuses the call.
        }
    }

    @Override
    public void finished(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getTypeElement() != null) {
            TreePath type = trees.getPath(event.getTypeElement());
            if (type != null) {
                var _ = new References().scan(type, null);
            }
        }
    }

    private final class References extends TreePathScanner<@Nullable Void, @Nullable Void> {

        @Override
        public @Nullable Void visitMemberReference(
                MemberReferenceTree reference, @Nullable Void nothing) {
            TreePath path = getCurrentPath();
            if (trees.getElement(path) instanceof ExecutableElement function
                    && Marks.isAsync(function)
                    && isArgumentOfCall(path)
                    && givesFuture(trees.getTypeMirror(path))
                    && !isSuppressed(path)) {
                String name = Names.of(function);
                trees.printMessage(
                        Diagnostic.Kind.ERROR,
                        Problem.ASYNC_FORGOTTEN.text().formatted(name, name.replace(".", "::")),
                        reference,
                        path.getCompilationUnit());
            }
            return super.visitMemberReference(reference, null);
        }
    }

    private boolean isArgumentOfCall(TreePath reference) {
        TreePath parent = reference.getParentPath();
        return parent.getLeaf() instanceof MethodInvocationTree
                && trees.getElement(parent) instanceof ExecutableElement called
                && !called.getSimpleName().contentEquals(WRAPPING)
                && isOfCalls(called);
    }

    private boolean isOfCalls(ExecutableElement called) {
        PackageElement owner = environment.getElementUtils().getPackageOf(called);
        return owner.getQualifiedName().contentEquals(CALLS)
                || owner.getQualifiedName().contentEquals(MODULE_CALLS);
    }

    /** {@return whether a function type has a future as its result} */
    private boolean givesFuture(@Nullable TypeMirror type) {
        if (!(type instanceof DeclaredType function) || function.getTypeArguments().isEmpty()) {
            return false;
        }
        List<? extends TypeMirror> arguments = function.getTypeArguments();
        var types = environment.getTypeUtils();
        var table = new WireTable(environment.getElementUtils(), types, Set.of(), Set.of());
        return table.isFuture(types.erasure(arguments.getLast()));
    }

    private boolean isSuppressed(TreePath reference) {
        TreePath path = reference;
        while (!isDeclaration(path.getLeaf())) {
            path = path.getParentPath();
        }
        Element declared = trees.getElement(path);
        return declared != null && Marks.isSuppressed(declared);
    }

    private static boolean isDeclaration(Tree tree) {
        return tree instanceof MethodTree || tree instanceof ClassTree;
    }
}
