package org.hourstone.query;

/**
 * How tag filters are understood.
 *
 * @param openTsdb whether as in OpenTSDB 2.4, whatever was meant: negative filters demand the tag,
 *     patterns match anywhere within a value unless a star anchors them, of several lists of values
 *     on one tag not all hold, and not_key is unknown
 * @param skipUnresolvedTagvs whether a listed value that no series has is passed over ({@code
 *     tsd.query.skip_unresolved_tagvs}) instead of failing the query
 * @param expansionLimit up to how many listed values are looked for in the rows' keys; more are
 *     tested by name ({@code tsd.query.filter.expansion_limit})
 */
public record FilterOptions(boolean openTsdb, boolean skipUnresolvedTagvs, long expansionLimit) {}
