package org.hourstone.server;

import io.netty.handler.codec.http.HttpRequest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The id of a request, in its response and in log lines: the client's id if it can't be mistaken
 * for anything else in a log, else a new one.
 */
final class RequestId {
  static final String HEADER = "x-request-id";
  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final AtomicLong NEXT = new AtomicLong(new SecureRandom().nextLong());

  private RequestId() {}

  static String of(HttpRequest request) {
    String given = request.headers().get(HEADER, "");
    return HARMLESS.matcher(given).matches() ? given : next();
  }

  static String next() {
    return HexFormat.of().toHexDigits(NEXT.getAndIncrement());
  }
}
