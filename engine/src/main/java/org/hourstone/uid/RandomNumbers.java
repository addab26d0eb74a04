package org.hourstone.uid;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Numbers drawn at random, so that new metrics spread over the whole range of keys. A number may
 * already be taken; the more numbers are used, the more likely that is. The counter is not changed.
 */
final class RandomNumbers implements NumberSource {
  /** As OpenTSDB counts them: the tenth attempt gives up. */
  private static final int NOMINAL_ATTEMPTS = 10;

  private static final int WIDEST = 7;

  private final RandomGenerator random;

  /**
   * @throws IllegalArgumentException if UIDs of this width can't be drawn
   */
  RandomNumbers(RandomGenerator random, int width) {
    if (width > WIDEST) {
      throw new IllegalArgumentException(
          "random metric UIDs have " + WIDEST + " bytes at most, not " + width);
    }
    this.random = random;
  }

  @Override
  public List<byte[]> next(UidKind kind, int width, int count) {
    return Stream.generate(() -> draw(width)).limit(count).toList();
  }

  private byte[] draw(int width) {
    byte[] uid = new byte[width];
    random.nextBytes(uid);
    for (byte each : uid) {
      if (each != 0) {
        return uid;
      }
    }
    uid[width - 1] = 1; // zero is never a UID
    return uid;
  }

  @Override
  public int attempts() {
    return NOMINAL_ATTEMPTS - 1;
  }

  @Override
  public String exhausted(UidKind kind, String name) {
    return "Failed to assign random ID for kind='"
        + kind.qualifier()
        + "' name='"
        + name
        + "' after "
        + NOMINAL_ATTEMPTS
        + " attempts";
  }
}
