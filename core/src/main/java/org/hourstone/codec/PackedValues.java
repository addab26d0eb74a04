package org.hourstone.codec;

/** Raw values, each in as many bytes as all of them need. Immutable. */
sealed interface PackedValues {
  int size();

  /** How many bytes they take. */
  long bytes();

  /** Copies them to an array from an index on. */
  void copyTo(long[] raws, int at);

  /** Packs values; the array may be used on. */
  static PackedValues of(long[] raws) {
    long widest = 0;
    long unsigned = 0;
    for (long raw : raws) {
      widest |= raw ^ (raw >> (Long.SIZE - 1));
      unsigned |= raw;
    }
    if (widest <= Byte.MAX_VALUE) {
      byte[] values = new byte[raws.length];
      for (int i = 0; i < raws.length; i++) {
        values[i] = (byte) raws[i];
      }
      return new OfBytes(values);
    }
    if (widest <= Short.MAX_VALUE) {
      short[] values = new short[raws.length];
      for (int i = 0; i < raws.length; i++) {
        values[i] = (short) raws[i];
      }
      return new OfShorts(values);
    }
    boolean fits = widest <= Integer.MAX_VALUE;
    if (fits || unsigned >>> Integer.SIZE == 0) {
      int[] values = new int[raws.length];
      for (int i = 0; i < raws.length; i++) {
        values[i] = (int) raws[i];
      }
      return new OfInts(values, fits ? -1L : 0xFFFF_FFFFL);
    }
    return new OfLongs(raws);
  }

  /** Signed bytes. */
  record OfBytes(byte[] values) implements PackedValues {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return values.length;
    }

    @Override
    public void copyTo(long[] raws, int at) {
      for (int i = 0; i < values.length; i++) {
        raws[at + i] = values[i];
      }
    }
  }

  /** Signed shorts. */
  record OfShorts(short[] values) implements PackedValues {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) Short.BYTES * values.length;
    }

    @Override
    public void copyTo(long[] raws, int at) {
      for (int i = 0; i < values.length; i++) {
        raws[at + i] = values[i];
      }
    }
  }

  /**
   * Ints.
   *
   * @param mask of the bits they have when widened: those of floats are unsigned
   */
  record OfInts(int[] values, long mask) implements PackedValues {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) Integer.BYTES * values.length;
    }

    @Override
    public void copyTo(long[] raws, int at) {
      for (int i = 0; i < values.length; i++) {
        raws[at + i] = values[i] & mask;
      }
    }
  }

  /** Longs. */
  record OfLongs(long[] values) implements PackedValues {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) Long.BYTES * values.length;
    }

    @Override
    public void copyTo(long[] raws, int at) {
      System.arraycopy(values, 0, raws, at, values.length);
    }
  }
}
