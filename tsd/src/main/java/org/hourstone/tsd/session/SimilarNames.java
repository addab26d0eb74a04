package org.hourstone.tsd.session;

import java.util.Comparator;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidTable;

/** Names that a mistyped one may have been meant to be. */
public final class SimilarNames {
  private static final int MOST_READ = 10_000;
  private static final int MOST_SHOWN = 3;

  private SimilarNames() {}

  /** The error for an unknown name, with similar names of its kind, and how to list all. */
  public static CommandException of(NoSuchNameException unknown, UidTable uids) {
    String kind = unknown.kind().qualifier();
    String list = ProgramName.get() + " uid grep " + kind + " . lists all";
    List<String> similar = find(unknown, uids);
    return new CommandException(
        unknown.getMessage()
            + (similar.isEmpty()
                ? "; " + list
                : "; did you mean " + String.join(", ", similar) + "? (" + list + ")"),
        unknown);
  }

  private static List<String> find(NoSuchNameException unknown, UidTable uids) {
    String name = unknown.name();
    String begin = name.substring(0, Math.min(1, name.length()));
    int most = Math.max(1, name.length() / 4);
    try {
      return uids.suggest(unknown.kind(), begin, MOST_READ).stream()
          .filter(known -> distance(name, known) <= most)
          .sorted(Comparator.comparingInt(known -> distance(name, known)))
          .limit(MOST_SHOWN)
          .toList();
    } catch (StoreException e) {
      return List.of(); // the error is about the name
    }
  }

  /** How many characters have to be inserted, removed or replaced. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
