package org.gradwire.processor;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.annotation.processing.SupportedOptions;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * The annotation processor: rejects functions that cannot be called and values that cannot be sent,
 * and writes the parameter names of remote functions.
 */
@SupportedAnnotationTypes({
    Marks.REMOTE_CALLABLE,
    Marks.SCRIPT_FUNCTION,
    Marks.ASYNC_EXECUTION,
    Marks.RETRY,
    Marks.NON_RETAINING,
    Marks.WIRE_VALUE,
    Marks.MODULE_INTERFACE
})
@SupportedOptions(RemoteFunctionProcessor.CODECS)
public final class RemoteFunctionProcessor extends AbstractProcessor {
    static final String CODECS = "gradwire.codecs";

    private Sources sources;
    private Reach reach;
    private Reports reports;

    /** For the compiler. */
    public RemoteFunctionProcessor() {}

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public synchronized void init(ProcessingEnvironment environment) {
        super.init(environment);
        reports = new Reports(environment.getMessager());
        reach = new Reach(environment.getElementUtils(), reports);
        AsyncCallCheck.install(environment);
        sources = new Sources(environment.getElementUtils(), environment.getTypeUtils());
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        sources.add(round.getRootElements());
        Set<Element> marked = new LinkedHashSet<>();
        annotations.forEach(mark -> marked.addAll(round.getElementsAnnotatedWith(mark)));
        if (!marked.isEmpty()) {
            check(marked);
            writeNames(marked);
        }
        return false; // other processors may read the marks too
    }

    private void check(Set<Element> marked) {
        Elements elements = processingEnv.getElementUtils();
        Types types = processingEnv.getTypeUtils();
        var table = new WireTable(elements, types, namedCoded(), sources.coded());
        var travel = new Travel(table, types, reports);
        var references = new ReferenceCheck(elements, types, reports);
        var parameters = new ParameterCheck(travel, reports);
        var functions = new FunctionCheck(table, types, reach, references, parameters, reports);
        var values =
                new ValueCheck(
                        table,
                        types,
                        reach,
                        travel,
                        new ModuleCheck(types, travel, reports),
                        reports);
        var retries = new RetryCheck(elements, reports);
        marked.forEach(element -> check(element, functions, retries, values));
    }

    private static void check(
            Element element, FunctionCheck functions, RetryCheck retries, ValueCheck values) {
        if (element instanceof ExecutableElement function) {
            retries.check(function);
            functions.checkNonRetaining(function);
            functions.checkMarked(function);
        } else if (element instanceof TypeElement type) {
            if (Marks.isRemoteCallable(type)) {
                functions.checkMembers(type);
            }
            if (Marks.isWireValue(type)) {
                values.check(type);
            }
            if (Marks.isModuleInterface(type)) {
                values.checkInterface(type);
            }
        }
    }

    private void writeNames(Set<Element> marked) {
        var names =
                new ParameterNames(
                        processingEnv.getElementUtils(),
                        processingEnv.getTypeUtils(),
                        processingEnv.getFiler(),
                        processingEnv.getMessager());
        marked.stream()
                .map(element ->
                        element instanceof ExecutableElement function
                                ? Names.ownerOf(function)
                                : element)
                .filter(TypeElement.class::isInstance)
                .map(TypeElement.class::cast)
                .distinct()
                .forEach(names::write);
    }

    private Set<String> namedCoded() {
        String names = processingEnv.getOptions().getOrDefault(CODECS, "");
        return Arrays.stream(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }
}
