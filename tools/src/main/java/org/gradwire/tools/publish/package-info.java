/** Stages what is published, in the layout of a Maven repository, and checks it. */
package org.gradwire.tools.publish;
