/**
 * Tools that work on the stored tables: they load cells, copy, write rows as import lines, and find
 * and repair corruption. They are for programs and the command line.
 */
@NullMarked
package org.hourstone.tool;

import org.jspecify.annotations.NullMarked;
