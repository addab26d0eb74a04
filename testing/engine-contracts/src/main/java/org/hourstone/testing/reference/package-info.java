/**
 * A second implementation of queries, slow and obvious, written from the description of the
 * contract alone: it shares no class with the engine, reads no cells, streams nothing, and keeps
 * every point in a map. Engine and reference are compared on random points and queries.
 */
@NullMarked
package org.hourstone.testing.reference;

import org.jspecify.annotations.NullMarked;
