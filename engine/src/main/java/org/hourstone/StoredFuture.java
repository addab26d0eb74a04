package org.hourstone;

import org.hourstone.write.FutureReceipt;
import org.hourstone.write.PointWriter;

/** The future of a point, which may be dropped: its failure is remembered. */
final class StoredFuture extends FutureReceipt {
  private final FailedPoints failed;

  StoredFuture(PointWriter writer, FailedPoints failed) {
    super(writer);
    this.failed = failed;
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    failed.add(reason);
    super.failed(token, reason);
  }

  /** A stage depends on it, so the caller has not dropped it. */
  @Override
  public boolean isAwaited() {
    return super.isAwaited() || getNumberOfDependents() > 0;
  }
}
