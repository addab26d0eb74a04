package org.hourstone.uid;

/**
 * How names get their UIDs.
 *
 * @param autoCreateMetrics whether writing a point assigns a UID to a new metric
 * @param autoCreateTagks the same for tag names
 * @param autoCreateTagvs the same for tag values
 * @param randomMetrics whether UIDs of metrics are random instead of counted
 * @param exhaustionMovesCounter whether an attempt to assign a UID where none is left moves the
 *     counter all the same, as OpenTSDB's does
 * @param suggestOnlyAscii whether suggesting without a prefix leaves out names that start at 7E or
 *     above, as OpenTSDB's does
 * @param cacheSize how many names of each kind are kept in memory, and as many UIDs
 */
public record UidOptions(
    boolean autoCreateMetrics,
    boolean autoCreateTagks,
    boolean autoCreateTagvs,
    boolean randomMetrics,
    boolean exhaustionMovesCounter,
    boolean suggestOnlyAscii,
    int cacheSize) {
  boolean autoCreates(UidKind kind) {
    return switch (kind) {
      case METRIC -> autoCreateMetrics;
      case TAGK -> autoCreateTagks;
      case TAGV -> autoCreateTagvs;
    };
  }
}
