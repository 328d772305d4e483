package org.gradwire.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A public type found in a source file.
 *
 * @param name the file and the type
 * @param documented whether it has a Javadoc comment
 */
record PublicType(String name, boolean documented) {

    /** {@return the public types in some files; those nested in a public type as well} */
    static List<PublicType> read(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    null,
                                    null,
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files));
            var scanner = new Scanner(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                scanner.scan(unit, null);
            }
            return scanner.found;
        }
    }

    private static final class Scanner extends TreePathScanner<Void, Void> {
        private final List<PublicType> found = new ArrayList<>();
        private final DocTrees trees;

        Scanner(DocTrees trees) {
            this.trees = trees;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (!isPublic(type)) {
                return null; // and no type within it is public
            }
            Path file = Path.of(getCurrentPath().getCompilationUnit().getSourceFile().toUri());
            found.add(
                    new PublicType(
                            file.getFileName() + ": " + type.getSimpleName(),
                            trees.getDocComment(getCurrentPath()) != null));
            return super.visitClass(type, null);
        }

        private boolean isPublic(ClassTree type) {
            Tree parent = getCurrentPath().getParentPath().getLeaf();
            boolean inInterface = parent.getKind() == Tree.Kind.INTERFACE;
            return inInterface || type.getModifiers().getFlags().contains(Modifier.PUBLIC);
        }
    }
}
