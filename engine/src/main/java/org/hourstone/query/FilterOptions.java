package org.hourstone.query;

/**
 * How tag filters are applied.
 *
 * @param dialect how they are interpreted
 * @param skipUnresolvedTagvs whether a listed value that no series has is skipped ({@code
 *     tsd.query.skip_unresolved_tagvs}) instead of failing the query
 * @param expansionLimit the maximum number of listed values matched by row key; longer lists are
 *     tested by name ({@code tsd.query.filter.expansion_limit})
 */
public record FilterOptions(
    FilterDialect dialect, boolean skipUnresolvedTagvs, long expansionLimit) {}
