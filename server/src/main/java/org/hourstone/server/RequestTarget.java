package org.hourstone.server;

import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The target of an HTTP request. */
final class RequestTarget {
  private static final int LAST_ASCII = 0x7F;

  private RequestTarget() {}

  /** A target whose bytes beyond ASCII, which have arrived as one character each, are encoded. */
  static String encoded(String target) {
    if (target.chars().allMatch(c -> c <= LAST_ASCII)) {
      return target;
    }
    StringBuilder encoded = new StringBuilder();
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= LAST_ASCII) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
      }
    }
    return encoded.toString();
  }

  /** The path and query string of a target, which may be a whole URL, as sent to a proxy. */
  static String originForm(String target) {
    int authority = authorityStart(target);
    if (authority < 0) {
      return target;
    }
    String rest = target.substring(authorityEnd(target, authority));
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  /** The host and maybe the port of a target that is a whole URL; null of others. */
  static @Nullable String authority(String target) {
    int start = authorityStart(target);
    return start < 0 ? null : target.substring(start, authorityEnd(target, start));
  }

  private static int authorityStart(String target) {
    String lower = target.substring(0, Math.min(8, target.length())).toLowerCase(Locale.ROOT);
    return lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
  }

  private static int authorityEnd(String target, int start) {
    int end = start;
    while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
      end++;
    }
    return end;
  }
}
