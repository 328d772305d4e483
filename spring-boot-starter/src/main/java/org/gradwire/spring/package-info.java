/** Auto-configurations of Spring Boot that make a worker a bean, and show how it fares. */
@NullMarked
package org.gradwire.spring;

import org.jspecify.annotations.NullMarked;
