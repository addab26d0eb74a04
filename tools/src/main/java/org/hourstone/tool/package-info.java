/**
 * Tools that work on the stored tables: loading cells, copying, writing rows as import lines,
 * finding and repairing corruption. For programs as well as for the command line.
 */
@NullMarked
package org.hourstone.tool;

import org.jspecify.annotations.NullMarked;
