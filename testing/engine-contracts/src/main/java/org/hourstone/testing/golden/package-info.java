/**
 * Recordings of a real OpenTSDB, replayed: the same writes are made again, in strict mode, and the
 * cells must be the same byte for byte.
 */
@NullMarked
package org.hourstone.testing.golden;

import org.jspecify.annotations.NullMarked;
