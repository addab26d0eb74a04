/**
 * Annotations: texts about times and time ranges, of one series or of all. See {@code
 * docs/format/annotation.md}.
 */
@NullMarked
package org.hourstone.annotation;

import org.jspecify.annotations.NullMarked;
