/**
 * Entry point of Hourstone: open a store, write points, query them. Start with {@link
 * org.hourstone.Tsdb}.
 */
@NullMarked
package org.hourstone;

import org.jspecify.annotations.NullMarked;
