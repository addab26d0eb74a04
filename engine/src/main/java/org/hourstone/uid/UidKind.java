package org.hourstone.uid;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.hourstone.error.RequestException;

/** The three kinds of names. Each has its own UIDs: one number can denote a name of each kind. */
public enum UidKind {
  METRIC("metrics"),
  TAGK("tagk"),
  TAGV("tagv");

  private final String qualifier;

  UidKind(String qualifier) {
    this.qualifier = qualifier;
  }

  /** The kind's name in the UID table and on the command line: metrics, tagk, tagv. */
  public String qualifier() {
    return qualifier;
  }

  /** The qualifier of the kind's cells in the UID table. */
  byte[] qualifierBytes() {
    return qualifier.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The qualifier of the kind's UIDMeta: metric_meta, tagk_meta, tagv_meta. */
  public byte[] metaQualifier() {
    return (name().toLowerCase(Locale.ROOT) + "_meta").getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The kind with this name: metrics or metric, tagk, tagv.
   *
   * @throws RequestException if there is none; the message lists the kinds
   */
  public static UidKind parse(String text) {
    return switch (text) {
      case "metrics", "metric" -> METRIC;
      case "tagk" -> TAGK;
      case "tagv" -> TAGV;
      default ->
          throw new RequestException(
              "unknown kind of name '" + text + "': must be metrics, tagk or tagv");
    };
  }
}
