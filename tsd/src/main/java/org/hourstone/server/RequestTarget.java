package org.hourstone.server;

import java.util.Locale;

/** The target of an HTTP request. */
final class RequestTarget {
  private RequestTarget() {}

  /** The path and query string of a target, which may be a whole URL, as sent to a proxy. */
  static String originForm(String target) {
    String lower = target.substring(0, Math.min(8, target.length())).toLowerCase(Locale.ROOT);
    int authority = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
    if (authority < 0) {
      return target;
    }
    for (int i = authority; i < target.length(); i++) {
      if (target.charAt(i) == '/') {
        return target.substring(i);
      }
      if (target.charAt(i) == '?') {
        return "/" + target.substring(i);
      }
    }
    return "/";
  }
}
