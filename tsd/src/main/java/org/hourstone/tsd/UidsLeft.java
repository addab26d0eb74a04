package org.hourstone.tsd;

import java.util.Locale;
import org.hourstone.uid.UidUsage;

/** How many UIDs are used, in words. */
final class UidsLeft {
  private UidsLeft() {}

  /** The warning when few UIDs are left. */
  static String warning(UidUsage usage) {
    return percent(usage)
        + " of the UIDs of "
        + usage.kind().qualifier()
        + " are used; when none is left, new names are refused";
  }

  /** The share that is used, rounded down. */
  static String percent(UidUsage usage) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(usage.part() * 1000) / 10);
  }
}
