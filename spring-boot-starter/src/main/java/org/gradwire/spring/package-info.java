/** Auto-configurations of Spring Boot for a worker bean, its health and its metrics. */
@NullMarked
package org.gradwire.spring;

import org.jspecify.annotations.NullMarked;
