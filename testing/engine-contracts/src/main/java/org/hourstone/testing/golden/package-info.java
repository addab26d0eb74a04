/**
 * Replays recordings of a real OpenTSDB: makes the same writes in strict mode, and compares the
 * cells byte for byte.
 */
@NullMarked
package org.hourstone.testing.golden;

import org.jspecify.annotations.NullMarked;
