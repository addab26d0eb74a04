/**
 * {@link org.hourstone.kv.KeyValueStore} on the heap, for tests of applications that use Hourstone:
 * {@code memory:}, {@code memory:name}, or {@link org.hourstone.kv.memory.MemoryStore}. Rows are
 * immutable and replaced as a whole, which makes every change to a row atomic.
 */
@NullMarked
package org.hourstone.kv.memory;

import org.jspecify.annotations.NullMarked;
