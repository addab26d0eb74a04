/**
 * The door to Hourstone: open a store, write points, ask for them. {@link org.hourstone.Tsdb} is
 * where to start.
 */
@NullMarked
package org.hourstone;

import org.jspecify.annotations.NullMarked;
