/**
 * OpenTSDB 2.x's storage format as pure functions between bytes and meaning: row keys, base times,
 * salts, qualifiers, values. No I/O, no state, no names: names are UIDs here.
 *
 * <p>The bytes are described, with boxes and worked examples, in {@code docs/format/}.
 */
@NullMarked
package org.hourstone.codec;

import org.jspecify.annotations.NullMarked;
