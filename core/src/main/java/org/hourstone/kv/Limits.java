package org.hourstone.kv;

/**
 * The largest sizes of a store's arguments. Every store accepts arguments within these limits;
 * {@link Checks} refuses larger ones with {@link IllegalArgumentException} before any change. Every
 * cell that OpenTSDB can write to an HBase with default settings is within them.
 */
public final class Limits {
  /**
   * Bytes of a row key; at least 1. HBase's 32,767, less the bytes it needs to find a key's region.
   */
  public static final int ROW_KEY = 32_000;

  /** Bytes of a qualifier, which may be empty: a million points of 4 bytes each. */
  public static final int QUALIFIER = 4_000_000;

  /** Bytes of a value, which may be empty. */
  public static final int VALUE = 9_000_000;

  /** Bytes of a row key, a qualifier and a value together. HBase accepts 10 MiB by default. */
  public static final int CELL = 10_000_000;

  /** Cells of a row that one mutation may change. A row may become longer by several mutations. */
  public static final int CELLS_PER_ROW = 1_000_000;

  /**
   * Cells that one replacement may observe, and cells that it may put, on every store. A store may
   * accept more, up to {@link #CELLS_PER_ROW}, or reject them: it compares them while other writers
   * of the row wait.
   */
  public static final int CELLS_PER_REPLACEMENT = 100_000;

  /** Rows of a batch that is written or read in one call. */
  public static final int ROWS_PER_BATCH = 100_000;

  private Limits() {}
}
