package org.hourstone.meta;

/**
 * A series' row of the meta table.
 *
 * @param meta the series' metadata
 * @param points how many points were counted; 0 if none were
 * @param lastReceived when the last of them was received, in seconds since the epoch; 0 if none was
 */
public record SeriesMeta(TsMeta meta, long points, long lastReceived) {}
