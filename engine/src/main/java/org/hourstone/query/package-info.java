/**
 * Queries as programs and people write them, their results, and what they may use of the process.
 * {@code query.run} executes them, by the plans of {@code query.plan}, on the rows of {@code
 * query.rows}.
 *
 * <p>A {@link QueryDraft} is a query as requested. {@code QueryText} reads it from text and prints
 * it, the API reads it from JSON; a {@link Query} is the checked form, which is executed.
 *
 * <p>{@link RowSelection} has the rows of a query as scans and a filter, for callers that don't run
 * it, such as deletion.
 *
 * <p>{@link RequestBudget} limits the resources of one request with everything that it starts,
 * {@code QueryContext} the amounts that one of its queries may read. Each object that keeps points
 * has a lease of its memory.
 */
@NullMarked
package org.hourstone.query;

import org.jspecify.annotations.NullMarked;
