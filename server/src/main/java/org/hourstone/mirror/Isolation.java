package org.hourstone.mirror;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds a point that the other server never accepts, in the batch that is being sent. A request
 * that fails repeatedly is divided until the point is alone. It is given up only if it fails time
 * and again while the server accepts another point each time, a <em>witness</em>: so never because
 * the server is away. A witness is sent before its turn, and once more in its turn: only a point
 * after the failing one can be one, else an older value could replace a newer one. For one thread.
 */
final class Isolation {
  /** After how many failures a request is divided. */
  private static final int ATTEMPTS = 3;

  /** How often a witness must be accepted. */
  private static final int PROOFS = 10;

  /** How many series are known that have such points. */
  private static final int MOST_SERIES = 1000;

  private final Set<ByteBuffer> series = new HashSet<>();
  private final Deque<ByteBuffer> seriesByAge = new ArrayDeque<>();

  private int most = Integer.MAX_VALUE;

  /** The end of what has failed and is sent in parts; 0 if there is none. */
  private int end;

  private int attempts;
  private int proofs;
  private int witness = -1;

  /** Whether a part of the batch is suspected. */
  boolean isActive() {
    return end > 0;
  }

  /** The end of the next request: points that are likely to fail are sent alone. */
  int end(PutBatch batch, int from, int to) {
    int limit = (int) Math.min(to, (long) from + most);
    if (series.isEmpty()) {
      return limit;
    }
    int next = from;
    while (next < limit && !isKnown(batch.point(next))) {
      next++;
    }
    return next == from ? from + 1 : next;
  }

  /** Whether the point is of a series of which another was given up. */
  boolean isKnown(QueuedPoint point) {
    return series.contains(ByteBuffer.wrap(point.tsuid()));
  }

  /** A request has failed; if it had several points, the next may have fewer. */
  void failed(int from, int to) {
    attempts++;
    if (attempts >= ATTEMPTS || isActive()) {
      attempts = 0;
      most = Math.max(1, (to - from) / 2);
      end = Math.max(end, to);
    }
  }

  /**
   * A point after the one that fails, whose acceptance would show that the server accepts points:
   * the one that was accepted last time, or another one.
   *
   * @param chance a random number
   * @return -1 if there is none
   */
  int witness(PutBatch batch, int failing, int chance) {
    int candidates = batch.size() - failing - 1;
    for (int i = 0; witness < 0 && i < candidates; i++) {
      int next = failing + 1 + Math.floorMod(chance + i, candidates);
      QueuedPoint point = batch.point(next);
      if (!isKnown(point) && !point.isOfSeries(batch.point(failing))) {
        witness = next;
      }
    }
    return witness;
  }

  /**
   * How many times the witness is sent: by turns once and twice. Of several servers behind one
   * address the failing point would else always reach the one that is away.
   */
  int times() {
    return 1 + proofs % 2;
  }

  /**
   * A point has failed alone.
   *
   * @param isAccepted whether a witness was accepted since
   * @return whether that is proven by now to be due to the point
   */
  boolean isProven(QueuedPoint failing, boolean isAccepted) {
    proofs = isAccepted ? proofs + 1 : 0;
    if (!isAccepted) {
      witness = -1;
    }
    return proofs >= (isKnown(failing) ? 1 : PROOFS);
  }

  /** A point is given up. */
  void givenUp(QueuedPoint point, int to) {
    ByteBuffer of = ByteBuffer.wrap(point.tsuid());
    if (series.add(of)) {
      seriesByAge.add(of);
      if (seriesByAge.size() > MOST_SERIES) {
        series.remove(seriesByAge.remove());
      }
    }
    most = Integer.MAX_VALUE;
    end = 0;
    settled(to);
  }

  /** The points before this are settled. */
  void settled(int to) {
    attempts = 0;
    proofs = 0;
    witness = -1;
    if (to >= end) {
      most = Integer.MAX_VALUE;
      end = 0;
    } else {
      most = Math.min(most, Integer.MAX_VALUE / 2) * 2;
    }
  }

  /** A point was accepted. */
  void accepted(QueuedPoint point) {
    if (!series.isEmpty() && series.remove(ByteBuffer.wrap(point.tsuid()))) {
      seriesByAge.remove(ByteBuffer.wrap(point.tsuid()));
    }
  }
}
