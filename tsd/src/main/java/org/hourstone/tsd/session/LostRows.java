package org.hourstone.tsd.session;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.Tsdb;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.UnreadableRowsException;
import org.hourstone.tool.Admin;
import org.hourstone.tool.RowNames;
import org.jspecify.annotations.Nullable;

/**
 * The rows that were skipped because they can't be read, also by the interrupted runs that this one
 * continues: each range is shown on standard error once. Thread-safe.
 */
public final class LostRows implements Consumer<UnreadableRowsException> {
  public static final String DESCRIPTION =
      "Skips rows whose stored bytes are corrupt, shows their range of keys, series and time on"
          + " standard error, and ends with 1.";

  /** What each line begins with. */
  public static final String PREFIX = "lost: rows of ";

  private final GivenSettings settings;
  private final Consumer<String> lines;
  private final Set<String> ranges = new LinkedHashSet<>();
  private @Nullable Tsdb db;

  LostRows(GivenSettings settings, Consumer<String> lines) {
    this.settings = settings;
    this.lines = lines;
  }

  /** Sets the database that has the names of the rows' series; only the first call does. */
  synchronized void namedBy(Tsdb database) {
    if (db == null) {
      db = database;
    }
  }

  /** Whether no row was lost. */
  public synchronized boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** A line for each range, in the order in which they were found. */
  public synchronized List<String> ranges() {
    return List.copyOf(ranges);
  }

  /**
   * Adds what interrupted runs have skipped, and shows it again.
   *
   * @param earlier their {@link #ranges}
   */
  public synchronized void restore(Collection<String> earlier) {
    earlier.stream().filter(ranges::add).forEach(lines);
  }

  @Override
  public synchronized void accept(UnreadableRowsException e) {
    byte[] next = e.next();
    String line =
        (PREFIX
                + e.family()
                + " from "
                + row(e, e.from())
                + (next == null ? " on" : " to before " + row(e, next)))
            .replaceAll("\\p{Cc}", " "); // so that it is one line of a file, too
    if (ranges.add(line)) {
      lines.accept(line);
      lines.accept(e.reason());
    }
  }

  private String row(UnreadableRowsException e, byte[] key) {
    String hex = key.length == 0 ? "the first one" : HexFormat.of().formatHex(key);
    RowKey keys = new RowKey(settings.options().schema());
    boolean named =
        e.family().equals(settings.options().tables().points())
            && key.length >= keys.schema().tagsOffset();
    return named ? hex + " (" + name(keys, key) + ")" : hex;
  }

  private String name(RowKey keys, byte[] key) {
    String time = Instant.ofEpochSecond(keys.baseTime(key)).toString();
    Tsdb named = db;
    if (named == null) {
      return time;
    }
    try {
      RowNames names = Admin.of(named).rowNames();
      // The key of the row before, with a byte appended, is the first one that may be lost.
      byte[] row = keys.isSeriesRow(key) ? key : Arrays.copyOf(key, key.length - 1);
      String text = names.text(row);
      return text.isEmpty() ? time : text + " " + time;
    } catch (StoreException unreadable) {
      return time;
    }
  }
}
