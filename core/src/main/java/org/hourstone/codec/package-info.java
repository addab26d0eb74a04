/**
 * OpenTSDB 2.x's storage format as pure functions that encode and decode row keys, base times,
 * salts, qualifiers and values. No I/O and no state. Metrics and tags appear as UIDs, without
 * names.
 *
 * <p>The byte layouts are described, with diagrams and worked examples, in {@code docs/format/}.
 */
@NullMarked
package org.hourstone.codec;

import org.jspecify.annotations.NullMarked;
