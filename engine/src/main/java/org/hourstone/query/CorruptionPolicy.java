package org.hourstone.query;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Family;

/** Fails a query that encounters corruption, or counts it. For one query. */
public final class CorruptionPolicy {
  /** The maximum number of findings that are reported individually. */
  public static final int FIRST = 10;

  private final Family family;
  private final boolean skip;
  private final List<String> first = new ArrayList<>();
  private long count;

  public CorruptionPolicy(Family family, boolean skip) {
    this.family = family;
    this.skip = skip;
  }

  /** A row can't be used at all. */
  public void row(byte[] row, String reason) {
    found(new CorruptDataException(name(row) + reason));
  }

  /** A cell of a row can't be used, or not wholly. */
  public void cell(byte[] row, byte[] qualifier, CorruptDataException reason) {
    String cell = ", cell " + HexFormat.of().formatHex(qualifier) + ": ";
    found(new CorruptDataException(name(row) + cell + reason.getMessage(), reason));
  }

  private void found(CorruptDataException corruption) {
    if (!skip) {
      throw corruption;
    }
    count++;
    if (first.size() < FIRST) {
      first.add(String.valueOf(corruption.getMessage()));
    }
  }

  /** The exception for a row that fails the query under either policy. */
  public CorruptDataException failure(byte[] row, CorruptDataException reason) {
    return new CorruptDataException(name(row) + ": " + reason.getMessage(), reason);
  }

  private String name(byte[] row) {
    return "row " + HexFormat.of().formatHex(row) + " of " + family;
  }

  public Corruption all() {
    return new Corruption(count, first);
  }
}
