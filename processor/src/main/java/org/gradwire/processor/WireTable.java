package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** The classes of arriving values, as {@code runtime.wire.Values} creates them. */
final class WireTable {
    private static final List<String> ARRAY_ELEMENTS =
            List.of(
                    "java.lang.Object",
                    "java.lang.String",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Double",
                    "java.lang.Float",
                    "java.lang.Boolean");
    private static final List<String> OTHERS =
            List.of(
                    "java.lang.Byte",
                    "java.lang.Short",
                    "java.lang.Character",
                    "java.util.Optional",
                    "org.gradwire.rpc.WorkerInfo",
                    // null, the only value of this type, can be sent
                    "java.lang.Void",
                    "java.lang.Record",
                    "java.lang.Enum");

    /** The class of an arriving value, by declared type. */
    private static final Map<String, String> COLLECTIONS =
            Map.of(
                    "java.util.List", "java.util.ArrayList",
                    "java.util.Set", "java.util.LinkedHashSet",
                    "java.util.Map", "java.util.LinkedHashMap");

    private static final List<String> CODED =
            List.of(
                    "org.gradwire.rpc.RRef",
                    "org.gradwire.rpc.RpcFunction",
                    "org.gradwire.tensor.Tensor",
                    "org.gradwire.nn.remote.RemoteModule",
                    "java.math.BigDecimal",
                    "java.math.BigInteger",
                    "java.time.Duration",
                    "java.time.Instant",
                    "java.time.LocalDate",
                    "java.time.LocalDateTime",
                    "java.time.LocalTime",
                    "java.time.OffsetDateTime",
                    "java.time.ZonedDateTime",
                    "java.util.UUID");
    private static final List<String> FUTURES =
            List.of("org.gradwire.rpc.RpcFuture", "java.util.concurrent.CompletionStage");

    private static final List<String> MODULES = List.of("org.gradwire.nn.Module");

    private final Elements elements;
    private final Types types;
    private final List<TypeMirror> arrayElements;
    private final List<TypeMirror> arriving;
    private final Map<TypeMirror, TypeMirror> collections = new LinkedHashMap<>();
    private final List<TypeMirror> coded;
    private final List<TypeMirror> futures;
    private final List<TypeMirror> modules;

    WireTable(Elements elements, Types types, Set<String> namedCoded, Set<TypeElement> foundCoded) {
        this.elements = elements;
        this.types = types;
        this.arrayElements = find(ARRAY_ELEMENTS);
        this.arriving =
                find(
                        Stream.of(ARRAY_ELEMENTS, OTHERS, COLLECTIONS.values())
                                .flatMap(Collection::stream)
                                .toList());
        COLLECTIONS.forEach((declared, arrives) -> {
            collections.put(erased(declared), erased(arrives));
        });
        this.coded =
                Stream.of(find(CODED), find(namedCoded), erase(foundCoded.stream()))
                        .flatMap(List::stream)
                        .toList();
        this.futures = find(FUTURES);
        this.modules = find(MODULES);
    }

    private TypeMirror erased(String name) {
        return types.erasure(Objects.requireNonNull(elements.getTypeElement(name)).asType());
    }

    private List<TypeMirror> find(Collection<String> names) {
        return erase(
                names.stream()
                        .<TypeElement>mapMulti((name, found) -> {
                            TypeElement type = elements.getTypeElement(name);
                            if (type != null) {
                                found.accept(type);
                            }
                        }));
    }

    private List<TypeMirror> erase(Stream<TypeElement> found) {
        return found.map(type -> types.erasure(type.asType())).toList();
    }

    boolean isFuture(TypeMirror erased) {
        return futures.stream().anyMatch(future -> types.isSubtype(erased, future));
    }

    /** {@return whether a declared result type may hold a future} */
    boolean takesFuture(TypeMirror erased) {
        return isFuture(erased)
                || futures.stream().anyMatch(future -> types.isSubtype(future, erased))
                || types.isSubtype(erased("java.util.concurrent.CompletableFuture"), erased);
    }

    /** {@return whether the type has a codec} */
    boolean isCoded(TypeMirror erased) {
        return coded.stream().anyMatch(codec -> types.isSubtype(erased, codec));
    }

    /** {@return whether the type is a module, whose codec accepts marked ones} */
    boolean isModule(TypeMirror erased) {
        return modules.stream().anyMatch(module -> types.isSubtype(erased, module));
    }

    /** {@return whether an arriving value can be an instance of the type} */
    boolean arrives(TypeMirror erased) {
        return Stream.concat(arriving.stream(), coded.stream())
                .anyMatch(arrived -> types.isSubtype(arrived, erased));
    }

    boolean isArrayElement(TypeMirror erased) {
        return arrayElements.stream().anyMatch(element -> types.isSubtype(element, erased));
    }

    /** {@return the one of List, Set and Map as which the type is encoded; null if none} */
    @Nullable TypeMirror collectionOf(TypeMirror erased) {
        return collections.keySet().stream()
                .filter(declared -> types.isSubtype(erased, declared))
                .findFirst()
                .orElse(null);
    }

    String arrivalOf(TypeMirror collection) {
        return Names.of(Objects.requireNonNull(collections.get(collection)));
    }
}
