package org.hourstone.api;

import java.util.Map;
import java.util.Set;
import org.hourstone.write.Receipt;

/** What the points of a request are, and how they are written. Thread-safe. */
interface PutKind {
  /** The fields they have beside metric, time stamp, value and tags, in the order of answers. */
  Set<String> fields();

  /**
   * @throws ApiException if no points of this kind are accepted at all
   */
  default void checkEnabled() {}

  /** Whether what is to be stored is there, whatever it is worth. */
  default boolean hasValue(PutPoint point) {
    return point.value() != null && !point.value().isEmpty();
  }

  /**
   * Takes a point in that has all of the usual fields.
   *
   * @param metric the point's
   * @param tags the point's, none of them null, in the order in which new names get their UIDs
   * @throws RuntimeException if it is not valid, as {@link PutReceipts} tells kinds apart
   */
  void put(PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token);
}
