package org.hourstone.query.rows;

import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.codec.RowDecoder;
import org.hourstone.query.QueryOptions;
import org.jspecify.annotations.Nullable;

/**
 * A row decoder that no reader uses, so that the next one, such as that of a small query, need not
 * allocate buffers. Thread-safe.
 */
public final class SpareDecoder {
  /** Enough for a row of a point a second. */
  private static final int MOST_POINTS = 4096;

  private final QueryOptions.Cells options;
  private final AtomicReference<@Nullable RowDecoder> spare = new AtomicReference<>();

  public SpareDecoder(QueryOptions.Cells options) {
    this.options = options;
  }

  /** The spare one, or a new one. */
  RowDecoder take() {
    RowDecoder taken = spare.getAndSet(null);
    return taken == null ? new RowDecoder(options.duplicates(), options.inStoredOrder()) : taken;
  }

  /** Keeps one that is not used any more, unless it has grown. */
  void giveBack(RowDecoder decoder) {
    if (decoder.capacity() <= MOST_POINTS) {
      spare.set(decoder);
    }
  }
}
