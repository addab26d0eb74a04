/**
 * Tools over the tables as they are stored: loading cells, writing rows as import lines, finding
 * and repairing damage. For programs as well as for the command line.
 */
@NullMarked
package org.hourstone.tool;

import org.jspecify.annotations.NullMarked;
