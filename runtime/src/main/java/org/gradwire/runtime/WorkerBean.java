package org.gradwire.runtime;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;

import java.lang.management.ManagementFactory;
import java.util.Map;

import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/**
 * Publishes the metrics of {@link Rpc#debugInfo} through JMX, each as an attribute, under the name
 * {@code org.gradwire:type=Worker,name=<name>,number=<n>}: several workers of a JVM may have one
 * name.
 */
final class WorkerBean implements DynamicMBean, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");

    private final Rpc rpc;
    private final ObjectName name;

    private WorkerBean(Rpc rpc, ObjectName name) {
        this.rpc = rpc;
        this.name = name;
    }

    /** Publish a worker until the result is closed. */
    static WorkerBean show(Rpc rpc) {
        try {
            for (int number = 0; ; number++) {
                var bean = new WorkerBean(rpc, nameOf(rpc, number));
                if (bean.tryRegister()) {
                    return bean;
                }
            }
        } catch (JMException e) {
            throw new RpcConfigurationException(
                    "cannot publish %s through JMX: %s".formatted(rpc.self(), e.getMessage()), e);
        }
    }

    private static ObjectName nameOf(Rpc rpc, int number) throws JMException {
        return new ObjectName(
                "org.gradwire:type=Worker,name=%s,number=%d"
                        .formatted(ObjectName.quote(rpc.self().name()), number));
    }

    /** Register this bean; {@return false when another worker of the JVM has the name} */
    private boolean tryRegister() throws JMException {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, name);
            return true;
        } catch (InstanceAlreadyExistsException _) {
            return false;
        }
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        String metric = rpc.debugInfo().get(attribute);
        if (metric == null) {
            throw new AttributeNotFoundException(
                    "%s has no metric %s; it has %s"
                            .formatted(rpc.self(), attribute, rpc.debugInfo().keySet()));
        }
        return metric;
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        Map<String, String> metrics = rpc.debugInfo();
        var found = new AttributeList();
        for (String attribute : attributes) {
            if (metrics.containsKey(attribute)) {
                found.add(new Attribute(attribute, metrics.get(attribute)));
            }
        }
        return found;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("the metrics of a worker can only be read");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] params, String[] signature) {
        throw new UnsupportedOperationException("a worker has no operations in JMX");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes =
                rpc.debugInfo().keySet().stream()
                        .map(key ->
                                new MBeanAttributeInfo(
                                        key, "java.lang.String", key, true, false, false))
                        .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(
                WorkerBean.class.getName(),
                "Metrics of " + rpc.self(),
                attributes,
                null,
                null,
                null);
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "{0} was not shown: {1}", name, e.getMessage());
        }
    }
}
