/**
 * Annotations: texts about timestamps and time ranges, for one series or for all. See {@code
 * docs/format/annotation.md}.
 */
@NullMarked
package org.hourstone.annotation;

import org.jspecify.annotations.NullMarked;
