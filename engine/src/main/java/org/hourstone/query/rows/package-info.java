/**
 * What a query reads: the rows of its hours, from which table, and how their cells become columns
 * of points, series by series.
 */
@NullMarked
package org.hourstone.query.rows;

import org.jspecify.annotations.NullMarked;
