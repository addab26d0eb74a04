/**
 * Standard streams, and what a terminal shows of them: the program's output and its status line.
 */
@NullMarked
package org.hourstone.tsd.terminal;

import org.jspecify.annotations.NullMarked;
