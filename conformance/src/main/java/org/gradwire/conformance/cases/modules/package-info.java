/** Cases of modules and remote modules, with the modules and remote functions they use. */
@NullMarked
package org.gradwire.conformance.cases.modules;

import org.jspecify.annotations.NullMarked;
