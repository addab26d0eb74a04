/**
 * Metadata: what people want to be known of names (UIDMeta) and series (TSMeta), and how many
 * points a series has got. See {@code docs/format/meta.md}.
 */
@NullMarked
package org.hourstone.meta;

import org.jspecify.annotations.NullMarked;
