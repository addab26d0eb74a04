/**
 * Series computed from series: functions of queries ({@code scale(sum:sys.cpu{host=*},2)}), and
 * formulas over several metrics, joined by their tags. See {@code docs/expressions.md}.
 */
@NullMarked
package org.hourstone.expression;

import org.jspecify.annotations.NullMarked;
