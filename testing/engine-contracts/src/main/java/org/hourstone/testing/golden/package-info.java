/**
 * Recordings of a real OpenTSDB, replayed: what was written then is written now, in strict mode,
 * and the cells must be the same byte for byte.
 */
@NullMarked
package org.hourstone.testing.golden;

import org.jspecify.annotations.NullMarked;
