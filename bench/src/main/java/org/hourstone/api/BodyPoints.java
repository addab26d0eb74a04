package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/** Lets benchmarks read put bodies alone. In this package so that it need not open its scanner. */
public final class BodyPoints {
  private BodyPoints() {}

  /** Adds the points of a body to a batch, and returns how many it took. */
  public static int add(String body, TextPoints batch) {
    ScannedPuts scanned = scan(body, batch);
    return scanned == null ? 0 : scanned.taken();
  }

  /** Lets the series of a body's points, which were put before, be known by its text. */
  public static void remember(String body, TextPoints batch) {
    ScannedPuts scanned = scan(body, null);
    for (int i = 0; scanned != null && i < scanned.size(); i++) {
      scanned.remember(batch, i, scanned.get(i));
    }
  }

  private static @Nullable ScannedPuts scan(String body, @Nullable TextPoints batch) {
    byte[] utf8 = body.getBytes(UTF_8);
    return PutScanner.scan(utf8, utf8.length, batch);
  }
}
