/** The published OpenTSDB in a separate process. */
@NullMarked
package org.hourstone.opentsdb;

import org.jspecify.annotations.NullMarked;
