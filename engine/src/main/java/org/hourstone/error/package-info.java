/**
 * The parent of the engine's exceptions. It is a package of its own, below all others of the
 * engine, because each of them throws it.
 */
@NullMarked
package org.hourstone.error;

import org.jspecify.annotations.NullMarked;
