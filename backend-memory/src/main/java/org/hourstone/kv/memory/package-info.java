/**
 * {@link org.hourstone.kv.KeyValueStore} on the heap, for tests of people who build on Hourstone:
 * {@code memory:}, {@code memory:name}, or {@link org.hourstone.kv.memory.MemoryStore}.
 */
@NullMarked
package org.hourstone.kv.memory;

import org.jspecify.annotations.NullMarked;
