package org.hourstone.tsd.session;

import java.util.Locale;
import org.hourstone.uid.UidUsage;

/** How many UIDs are used, in words. */
public final class UidsLeft {
  private UidsLeft() {}

  /** The warning when few UIDs are left. */
  public static String warning(UidUsage usage) {
    return percent(usage)
        + " of the UIDs of "
        + usage.kind().qualifier()
        + " are used; when none is left, new names are refused";
  }

  /** The share that is used, rounded down. */
  public static String percent(UidUsage usage) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(usage.part() * 1000) / 10);
  }
}
