package org.hourstone.api.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.hourstone.api.endpoint.DefaultTag;
import org.hourstone.write.Receipt;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/** The kind of points in a request, and how they are written. Thread-safe. */
interface PutKind {
  /** Their fields in addition to metric, timestamp, value and tags, in the order of responses. */
  Set<String> fields();

  /**
   * @throws org.hourstone.api.request.ApiException if points of this kind are not accepted
   */
  default void checkEnabled() {}

  /** The point in a response. */
  default ObjectNode shown(PutPoint point) {
    return point.toJson(fields());
  }

  /** Whether the value to store is present, valid or not. */
  default boolean hasValue(PutPoint point) {
    return point.value() != null && !point.value().isEmpty();
  }

  /** The tag of points of this kind that have no tags. */
  default DefaultTag defaultTag() {
    return new DefaultTag(Map.of());
  }

  /** A batch that gathers points of this kind from text; null if they are written one by one. */
  default @Nullable TextPoints batch() {
    return null;
  }

  /**
   * Writes a point that has all of the usual fields.
   *
   * @param metric the point's
   * @param tags the point's, none of them null, in the order in which new names get their UIDs
   * @throws RuntimeException if it is invalid; {@link PutReceipts} distinguishes the kinds
   */
  void put(PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token);
}
