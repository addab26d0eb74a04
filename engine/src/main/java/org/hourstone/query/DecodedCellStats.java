package org.hourstone.query;

/**
 * What the cache of decoded cells has and did.
 *
 * @param cells how many are kept
 * @param bytes of memory they take, approximately
 * @param hits how many cells of queries were found
 * @param misses how many were not, and had to be decoded
 */
public record DecodedCellStats(long cells, long bytes, long hits, long misses) {}
