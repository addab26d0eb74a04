package org.hourstone.write;

import java.util.Arrays;
import org.hourstone.head.Waiting;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of the points that are written to one row together. Each is completed once, whatever
 * is thrown and however often completion is requested. Not thread-safe.
 */
final class Receipts implements Waiting {
  private static final Receipt[] NONE = {};

  private Receipt[] receipts;
  private long[] tokens;
  private int size;
  private int told;

  /** Those before it are completed next. */
  private int end = Integer.MAX_VALUE;

  /** Whether an attempt to write them may have been applied. */
  private boolean maybeApplied;

  Receipts() {
    receipts = new Receipt[2];
    tokens = new long[2];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int begin() {
    return told;
  }

  @Override
  public int end() {
    return Math.min(size, end);
  }

  @Override
  public void endAt(int limit) {
    end = limit;
  }

  /** Allocates the memory for the next {@link #add}, which then can't fail. */
  void makeRoom() {
    if (size == tokens.length) {
      int capacity = Math.max(2, size * 2);
      long[] more = Arrays.copyOf(tokens, capacity);
      receipts = Arrays.copyOf(receipts, capacity);
      tokens = more;
    }
  }

  void add(Receipt receipt, long token) {
    receipts[size] = receipt;
    tokens[size] = token;
    size++;
  }

  @Override
  public boolean anyAwaited() {
    for (int i = 0; i < size; i++) {
      if (isAwaited(receipts[i])) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean allGiveUpSoon() {
    for (int i = told; i < end(); i++) {
      if (!(receipts[i] instanceof SoonGivenUp)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void stored() {
    while (told < end()) {
      int first = told;
      while (told < end() && receipts[told] == receipts[first]) {
        told++;
      }
      tellStored(receipts[first], first, told);
    }
    if (told == size) {
      Arrays.fill(receipts, 0, Math.min(size, receipts.length), null);
    }
  }

  @Override
  public void failed(RuntimeException reason) {
    while (told < end()) {
      int next = told++;
      tell(receipts[next], tokens[next], reason);
    }
    if (told == size) {
      receipts = NONE; // memory may be what is missing
    }
  }

  @Override
  public void unapplied(Outcome outcome) {
    maybeApplied |= outcome == Outcome.UNKNOWN;
  }

  @Override
  public StoreException failure(Outcome last, StoreException reason) {
    Outcome outcome = maybeApplied ? Outcome.UNKNOWN : last;
    return new StoreException(outcome, String.valueOf(reason.getMessage()), reason);
  }

  /**
   * Forgets all, which are completed, so that others can be added.
   *
   * @param most for how many there is room at most before arrays have to grow again
   */
  void clear(int most) {
    if (receipts.length < tokens.length || tokens.length > most) {
      int capacity = Math.min(tokens.length, most);
      tokens = new long[capacity];
      receipts = new Receipt[capacity];
    }
    size = 0;
    told = 0;
    end = Integer.MAX_VALUE;
  }

  private void tellStored(Receipt receipt, int from, int to) {
    try {
      receipt.stored(tokens, from, to);
    } catch (Throwable e) {
      ForeignCode.report(e);
    }
  }

  /** Calls a receipt. An exception of a receipt must not keep the others from being completed. */
  static void tell(Receipt receipt, long token, @Nullable RuntimeException failure) {
    try {
      if (failure == null) {
        receipt.stored(token);
      } else {
        receipt.failed(token, failure);
      }
    } catch (Throwable e) {
      ForeignCode.report(e);
    }
  }

  /** Whether a caller waits for it; true if the receipt throws. */
  static boolean isAwaited(Receipt receipt) {
    try {
      return receipt.isAwaited();
    } catch (Throwable e) {
      ForeignCode.report(e);
      return true;
    }
  }
}
