/**
 * A second implementation of queries, slow and simple, written only from the documentation: it
 * shares no class with the engine, reads no cells, streams nothing, and keeps every point in a map.
 * Tests compare it with the engine on random points and queries.
 */
@NullMarked
package org.hourstone.testing.reference;

import org.jspecify.annotations.NullMarked;
