package org.hourstone.kv;

import java.util.Comparator;
import java.util.Objects;

/**
 * One column family of one table. Every operation names the family it applies to.
 *
 * @param table the table, not empty
 * @param name the column family, not empty, without {@code ':'}
 */
public record Family(String table, String name) implements Comparable<Family> {
  private static final Comparator<Family> ORDER =
      Comparator.comparing(Family::table).thenComparing(Family::name);

  public Family {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(name, "name");
    if (table.isEmpty()) {
      throw new IllegalArgumentException("empty table name");
    }
    if (name.isEmpty() || name.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "bad family name '" + name + "': must not be empty nor contain ':'");
    }
  }

  /** By table, then by family name. */
  @Override
  public int compareTo(Family other) {
    return ORDER.compare(this, other);
  }

  /** {@code table:name}. */
  @Override
  public String toString() {
    return table + ":" + name;
  }
}
