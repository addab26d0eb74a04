package org.hourstone.api.put;

/** Points that were written together, with their outcomes. */
interface WrittenPoints {
  int size();

  PutReceipts receipts();

  /** A point as it was sent, for the log. */
  String text(int i);

  /** The line of the body that a point is in, from 1; 0 if that is not known. */
  default int line(int i) {
    return 0;
  }
}
