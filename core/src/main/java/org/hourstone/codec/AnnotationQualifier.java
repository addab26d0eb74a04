package org.hourstone.codec;

/**
 * The qualifier of an annotation, an {@link EventQualifier} but for one rule. See {@code
 * docs/format/annotation.md}.
 */
public final class AnnotationQualifier {
  private AnnotationQualifier() {}

  /**
   * The qualifier of an annotation that starts at this time.
   *
   * <p>A time that 1000 divides is divided by it first, to store whole milliseconds as seconds.
   * That is done to a time in seconds as well: one that 1000 divides gets an offset that is not its
   * own. OpenTSDB finds its annotations by this, so it is kept; who reads a cell takes the time
   * from its value.
   *
   * @param startTime seconds or milliseconds by its size, at least 1
   */
  public static byte[] encode(long startTime) {
    long time = startTime % 1000 == 0 ? startTime / 1000 : startTime;
    return EventQualifier.encode(EventQualifier.ANNOTATION, time);
  }

  /**
   * The offset an annotation's qualifier gives, in milliseconds; not that of its start where 1000
   * divides that.
   *
   * @param qualifier one that {@link CellKind#of} says is an annotation's
   */
  public static long offsetMillis(byte[] qualifier) {
    return EventQualifier.offsetMillis(qualifier);
  }
}
