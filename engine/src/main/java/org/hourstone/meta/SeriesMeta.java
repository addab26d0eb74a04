package org.hourstone.meta;

/**
 * A series' row of the meta table.
 *
 * @param meta what is known of the series
 * @param points how many points were counted; 0 if none were
 * @param lastReceived when the last of them came, in seconds since the epoch; 0 if none did
 */
public record SeriesMeta(TsMeta meta, long points, long lastReceived) {}
