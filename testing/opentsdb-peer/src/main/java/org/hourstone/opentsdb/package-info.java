/** The published OpenTSDB in a process of its own. */
@NullMarked
package org.hourstone.opentsdb;

import org.jspecify.annotations.NullMarked;
