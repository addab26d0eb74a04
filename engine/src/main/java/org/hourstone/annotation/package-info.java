/** Notes on moments and spans of time, of one series or of all. See docs/format/annotation.md. */
@NullMarked
package org.hourstone.annotation;

import org.jspecify.annotations.NullMarked;
