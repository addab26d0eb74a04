package org.hourstone.uid;

/**
 * How names and UIDs of one kind are found in memory, in either direction.
 *
 * @param entries how many names and how many UIDs are kept, added up
 * @param hits how often one was found since the database was opened
 * @param misses how often the store had to be asked
 */
public record UidCacheUse(long entries, long hits, long misses) {}
