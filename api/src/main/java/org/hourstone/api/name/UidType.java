package org.hourstone.api.name;

import java.util.List;
import java.util.Locale;
import org.hourstone.error.RequestException;
import org.hourstone.uid.UidKind;

/** The names of UID kinds in requests. */
final class UidType {
  static final List<String> NAMES = List.of("metric", "tagk", "tagv");

  private UidType() {}

  /**
   * @throws RequestException if there is no such type
   */
  static UidKind parse(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "metric" -> UidKind.METRIC;
      case "tagk" -> UidKind.TAGK;
      case "tagv" -> UidKind.TAGV;
      default -> throw new RequestException("Unknown type name");
    };
  }
}
