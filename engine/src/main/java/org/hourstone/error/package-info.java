/**
 * The parent of the engine's exceptions. It is in a separate package, below all others of the
 * engine, because each of them throws it.
 */
@NullMarked
package org.hourstone.error;

import org.jspecify.annotations.NullMarked;
