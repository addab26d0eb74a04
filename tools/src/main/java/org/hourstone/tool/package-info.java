/**
 * Tools that work on the stored tables: loading cells, copying, writing rows as import lines,
 * finding and repairing corruption. Programs and the command line use them.
 */
@NullMarked
package org.hourstone.tool;

import org.jspecify.annotations.NullMarked;
