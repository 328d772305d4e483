package org.gradwire.processor;

/** The faults that the processor reports, each with its message. */
enum Problem {
    NOT_PUBLIC("%s is not public, so no worker may call it: make it public, or remove its mark"),
    HIDDEN_TYPE(
            "%s is out of reach of other workers, since %s is not public: make that type public, or remove the mark"),
    NOT_EXPORTED(
            "%s is out of reach of other workers, since module %s does not export package %s to everyone: add \"exports %s;\" to its module-info, or remove the mark"),
    SCRIPT_NOT_STATIC(
            "script function %s is not static: make it static, or mark it @RemoteCallable instead"),
    TOO_MANY_PARAMETERS(
            "%s has %s parameters, but a method reference to a remote function has at most 6: put some of them into a record marked @WireValue"),
    ABSTRACT_CONSTRUCTOR(
            "%s is a constructor of an abstract class, which cannot be instantiated: mark the constructors of its subclasses instead"),
    INNER_CONSTRUCTOR(
            "%s is a constructor of an inner class, for which no method reference can be sent: make the class static"),
    AMBIGUOUS(
            "%s cannot be distinguished from the instance method of the same name in the method reference %s: rename one of them"),
    ASYNC_ALONE(
            "%s is marked only @AsyncExecution, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
    ASYNC_WITHOUT_FUTURE(
            "%s is marked @AsyncExecution but returns %s: return an RpcFuture of it, or remove the mark"),
    ASYNC_FORGOTTEN(
            "%s is marked @AsyncExecution, so its caller gets the value of its future and not the future: write RpcFunction.async(%s)"),
    RETRY_ALONE(
            "%s is marked only @Retry, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
    SCOPED_ALONE(
            "%s is marked only @NonRetaining, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
    SCOPED_ASYNC(
            "%s is marked @NonRetaining and @AsyncExecution, but continues after it returned: remove one of the marks"),
    RETRY_VALUE("@Retry of %s has %s, which must be %s"),
    FUTURE_RETURNED(
            "%s returns %s, and a future cannot be sent: mark it @AsyncExecution, or wait for the future and return its value"),
    FUTURE("%s holds %s, and a future cannot be sent: take the future's value instead"),
    UNMARKED(
            "%s holds %s, which is not marked @WireValue and cannot be sent: mark that type, or name it in -Agradwire.codecs if a codec for it is installed"),
    CANNOT_TRAVEL(
            "%s holds %s, which cannot be sent: take a type that can, an RRef to the value, or name it in -Agradwire.codecs if a codec for it is installed"),
    ARRIVES_AS_OTHER(
            "%s is of type %s, but such a value arrives as %s and would not fit: declare it as %s"),
    ARRAY("%s holds %s, and an array of that element type cannot be sent: take a List"),
    UNREADABLE_DEFAULT("the default \"%s\" of parameter %s of %s cannot be read as %s: write %s"),
    DEFAULT_BEFORE_REQUIRED(
            "parameter %s of %s has no default but comes after %s, which has one: move it before that one, or give it a default"),
    NEITHER_RECORD_NOR_ENUM(
            "%s is marked @WireValue but is neither a record nor an enum nor a module: make it one, or install a codec for it and remove the mark"),
    ABSTRACT_MODULE("%s is marked @WireValue but is abstract: mark its subclasses instead"),
    NO_CONFIGURATION(
            "%s is marked @WireValue but declares no configuration from which it can be made again: let it implement WireModule, or remove the mark"),
    NO_CONFIGURATION_CONSTRUCTOR(
            "%s is marked @WireValue but has no public constructor that takes its configuration, a %s: add one"),
    NO_MODULE_INTERFACE(
            "%s is marked @ModuleInterface but is not an interface: mark an interface that it implements");

    private final String text;

    Problem(String text) {
        this.text = text;
    }

    /** {@return the message, with a {@code %s} for each name} */
    String text() {
        return text;
    }
}
