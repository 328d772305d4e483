package org.gradwire.runtime;

import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.group.Backends;
import org.gradwire.runtime.group.Rendezvous;
import org.gradwire.runtime.simulation.Simulations;
import org.gradwire.security.Authorizer;
import org.gradwire.spi.RpcExtensionProvider;

import java.lang.ref.Cleaner;
import java.util.List;

/** The parts of the runtime that all workers of the JVM share. */
record SharedServices(
        Backends backends,
        List<RpcExtensionProvider> extensions,
        List<Authorizer> authorizers,
        FunctionTable functions,
        MarkedClasses classes,
        Rendezvous rendezvous,
        Simulations simulations,
        Cleaner cleaner) {}
