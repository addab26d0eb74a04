package org.hourstone.internal;

/** Cuts off text that others made, where it gets longer than is useful. */
public final class ShortText {
  private ShortText() {}

  /** The text, or its first characters and an ellipsis if it has more than {@code most}. */
  public static String of(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, splitsPair ? most - 1 : most) + "…";
  }
}
