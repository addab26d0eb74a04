package org.hourstone.query;

/**
 * How tag filters are interpreted.
 *
 * @param openTsdb whether filters behave as in OpenTSDB 2.4: negative filters require the tag,
 *     patterns match anywhere within a value unless a star anchors them, several lists of values on
 *     one tag are not all applied, and not_key is unknown
 * @param skipUnresolvedTagvs whether a listed value that no series has is skipped ({@code
 *     tsd.query.skip_unresolved_tagvs}) instead of failing the query
 * @param expansionLimit the maximum number of listed values matched by row key; longer lists are
 *     tested by name ({@code tsd.query.filter.expansion_limit})
 */
public record FilterOptions(boolean openTsdb, boolean skipUnresolvedTagvs, long expansionLimit) {}
