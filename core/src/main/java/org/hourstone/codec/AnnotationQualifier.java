package org.hourstone.codec;

/**
 * The qualifier of an annotation: an {@link EventQualifier} with one additional rule. See {@code
 * docs/format/annotation.md}.
 */
public final class AnnotationQualifier {
  private AnnotationQualifier() {}

  /**
   * The qualifier of an annotation that starts at this time.
   *
   * <p>A time divisible by 1000 is divided by it first, so that whole seconds in milliseconds are
   * stored as seconds. The rule also applies to a time in seconds: if it is divisible by 1000, it
   * gets a wrong offset. OpenTSDB finds its annotations by this qualifier, so the rule is kept;
   * readers read the time from the cell's value.
   *
   * @param startTime seconds or milliseconds by its size, at least 1
   */
  public static byte[] encode(long startTime) {
    long time = startTime % 1000 == 0 ? startTime / 1000 : startTime;
    return EventQualifier.encode(EventQualifier.ANNOTATION, time);
  }

  /**
   * The offset in an annotation's qualifier, in milliseconds; not that of its start if the start is
   * divisible by 1000.
   *
   * @param qualifier that of an annotation by {@link CellKind#of}
   */
  public static long offsetMillis(byte[] qualifier) {
    return EventQualifier.offsetMillis(qualifier);
  }
}
