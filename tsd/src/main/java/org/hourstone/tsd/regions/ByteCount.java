package org.hourstone.tsd.regions;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.tsd.session.UsageException;

/** Sizes as options give them, and as they are shown. */
final class ByteCount {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,18})([kmgtKMGT]?)");
  private static final String UNITS = "kmgt";
  private static final int BITS = 10;
  private static final int MEGABYTE_BITS = 20;

  private ByteCount() {}

  /**
   * Digits, perhaps with k, m, g or t, powers of 1024.
   *
   * @throws UsageException if it is something else, or more than a long
   */
  static long parse(String option, String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new UsageException(option + " " + text + ": not a size such as 10g");
    }
    String unit = form.group(2).toLowerCase(Locale.ROOT);
    int shift = unit.isEmpty() ? 0 : BITS * (UNITS.indexOf(unit) + 1);
    long number = Long.parseLong(form.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new UsageException(option + " " + text + ": too large");
    }
    return number << shift;
  }

  /** Whole megabytes, of 1024 × 1024 bytes: servers tell no more. */
  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,d", bytes >> MEGABYTE_BITS);
  }
}
