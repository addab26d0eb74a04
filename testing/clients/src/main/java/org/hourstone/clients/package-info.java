/** Programs that use published clients of OpenTSDB, and how to run them. */
@NullMarked
package org.hourstone.clients;

import org.jspecify.annotations.NullMarked;
