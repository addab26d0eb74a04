package org.hourstone.write;

/**
 * Receives all points that a {@link PointWriter} writes, for another server. Each writing thread
 * has a sink of its own, to which it passes points before it stores them, so before their receipts
 * are notified. Thread-safe.
 */
public interface PointMirror extends AutoCloseable {
  /** A sink for one thread. */
  Sink sink();

  /** No more points will be added to any sink. */
  @Override
  void close();

  /**
   * Receives the points of one writing thread, in the order in which they are written. Must neither
   * throw nor wait for another server: the points are not acknowledged before it returns. A point
   * may be added again after an error of the thread, and the store may refuse one afterwards.
   */
  interface Sink {
    /**
     * A point.
     *
     * @param tsuid of its series; must not be changed, may be kept
     * @param timestamp seconds or milliseconds by its size
     * @param flags its type, as in {@link org.hourstone.codec.Value}
     * @param raw its value, as there
     */
    void add(byte[] tsuid, long timestamp, int flags, long raw);

    /** A cell that is not a plain point, such as a histogram or a value that was rolled up. */
    void addOtherCell();

    /** The points added before are stored, and acknowledged, when this has returned. */
    void commit();
  }
}
