package org.hourstone.meta;

/**
 * A series' row of the meta table.
 *
 * @param meta the series' metadata
 * @param points the number of counted points
 * @param lastReceived when the last of them was received, in seconds since the epoch; 0 if there is
 *     none
 */
public record SeriesMeta(TsMeta meta, long points, long lastReceived) {}
