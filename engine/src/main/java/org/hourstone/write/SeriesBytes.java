package org.hourstone.write;

import java.util.Arrays;

/** The two ranges of bytes that denote a series; equal if the ranges have the same bytes. */
final class SeriesBytes implements Comparable<SeriesBytes> {
  byte[] text = {};
  int from;
  int to;
  int from2;
  int to2;

  SeriesBytes copy() {
    SeriesBytes copy = new SeriesBytes();
    copy.set(text, from, to, from2, to2);
    return copy;
  }

  void set(byte[] in, int begin, int end, int begin2, int end2) {
    text = in;
    from = begin;
    to = end;
    from2 = begin2;
    to2 = end2;
  }

  /** Whether the first range is the same one, in the same place. */
  boolean beginsAs(SeriesBytes other) {
    return text == other.text && from == other.from && to == other.to;
  }

  /** Whether both ranges are the same ones, in the same places. */
  boolean isSame(SeriesBytes other) {
    return beginsAs(other) && from2 == other.from2 && to2 == other.to2;
  }

  /** So that a map finds them quickly even if their hashes are all the same. */
  @Override
  public int compareTo(SeriesBytes other) {
    int order = Arrays.compare(text, from, to, other.text, other.from, other.to);
    return order == 0
        ? Arrays.compare(text, from2, to2, other.text, other.from2, other.to2)
        : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeriesBytes bytes && compareTo(bytes) == 0;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + text[i];
    }
    for (int i = from2; i < to2; i++) {
      hash = 31 * hash + text[i];
    }
    return hash;
  }
}
