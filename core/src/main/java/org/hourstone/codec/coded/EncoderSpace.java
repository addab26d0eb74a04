package org.hourstone.codec.coded;

/** Arrays that are used again for each cell that is encoded. For one thread at a time. */
final class EncoderSpace {
  /** What is written before its length is known. */
  final Output rest = new Output(64);

  /** The numbers of symbols by magnitude. */
  final int[] counts = new int[FrequencyTable.MOST + 2];

  /** How many numbers have how many bits. */
  final int[] lengths = new int[Long.SIZE + 1];

  private byte[] symbols = {};
  private long[] sorted = {};

  /** Room for a symbol of each number. */
  byte[] symbols(int count) {
    if (symbols.length < count) {
      symbols = new byte[Math.max(count, 2 * symbols.length)];
    }
    return symbols;
  }

  /** Room for numbers that are sorted. */
  long[] sorted(int count) {
    sorted = roomFor(count, sorted);
    return sorted;
  }

  /** The array, or one with room for more numbers, whose content is arbitrary. */
  static long[] roomFor(int count, long[] array) {
    return array.length < count ? new long[Math.max(count, 2 * array.length)] : array;
  }
}
