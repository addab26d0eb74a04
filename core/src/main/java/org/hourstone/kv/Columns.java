package org.hourstone.kv;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a row that a read returns. {@link #includes} defines each form. A value: its arrays
 * are copied.
 */
public sealed interface Columns {
  /** Whether a cell with this qualifier is returned. */
  boolean includes(byte[] qualifier);

  /** Every cell. */
  static Columns all() {
    return All.INSTANCE;
  }

  /**
   * Every cell, as the store keeps it: a row's only cell may be {@linkplain Row#coded coded}, or
   * {@linkplain Row#codedRow all cells together}. A store may treat this as {@link #all}.
   */
  static Columns allAsStored() {
    return All.AS_STORED;
  }

  /** Exactly these cells. */
  static Columns exactly(byte[]... qualifiers) {
    return new Exact(List.of(qualifiers));
  }

  /** Every cell. */
  enum All implements Columns {
    /** See {@link Columns#all}. */
    INSTANCE,
    /** See {@link Columns#allAsStored}. */
    AS_STORED;

    @Override
    public boolean includes(byte[] qualifier) {
      return true;
    }
  }

  /**
   * The named cells.
   *
   * @param qualifiers at least one; ascending, whatever order they are given in
   */
  record Exact(List<byte[]> qualifiers) implements Columns {
    public Exact {
      if (qualifiers.isEmpty()) {
        throw new IllegalArgumentException("no qualifier named");
      }
      qualifiers = qualifiers.stream().map(byte[]::clone).sorted(Arrays::compareUnsigned).toList();
    }

    @Override
    public boolean includes(byte[] qualifier) {
      return Collections.binarySearch(qualifiers, qualifier, Arrays::compareUnsigned) >= 0;
    }
  }

  /**
   * The cells whose qualifier is in a half-open range of unsigned byte strings.
   *
   * @param start inclusive; empty means from the first
   * @param stop exclusive; null means to the last
   */
  record Range(byte[] start, byte @Nullable [] stop) implements Columns {
    // Not compact: the compiler would lose the annotation of the array that may be null.
    public Range(byte[] start, byte @Nullable [] stop) {
      this.start = start.clone();
      this.stop = stop == null ? null : stop.clone();
    }

    @Override
    public boolean includes(byte[] qualifier) {
      return Arrays.compareUnsigned(qualifier, start) >= 0
          && (stop == null || Arrays.compareUnsigned(qualifier, stop) < 0);
    }
  }
}
