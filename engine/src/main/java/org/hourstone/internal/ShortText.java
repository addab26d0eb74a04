package org.hourstone.internal;

/** Truncates text from external sources that is longer than useful. */
public final class ShortText {
  private ShortText() {}

  /** The text; if it has more than {@code most} characters, the first ones and an ellipsis. */
  public static String of(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, splitsPair ? most - 1 : most) + "…";
  }
}
