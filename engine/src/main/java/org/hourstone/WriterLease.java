package org.hourstone;

import java.util.concurrent.atomic.LongAdder;
import org.hourstone.head.Head;
import org.hourstone.head.WriterOptions;
import org.hourstone.internal.PacedThread;

/**
 * The threads of a writer on a shared store: one renews its lease, the other seals the rows of
 * writers whose lease has run out, which may take longer than a lease.
 */
final class WriterLease implements AutoCloseable {
  private final PacedThread renewing;
  private final PacedThread sealing;

  WriterLease(Head head, WriterOptions options) {
    this.renewing = start("lease", "renewing the lease of the journal", options, head::renewLease);
    this.sealing =
        start("takeover", "sealing the rows of other writers", options, head::sealExpired);
  }

  private static PacedThread start(
      String name, String doing, WriterOptions options, Runnable work) {
    long millis = options.period().toMillis();
    PacedThread.Task task =
        new PacedThread.Task("hourstone-journal-" + name, doing, millis, millis);
    return PacedThread.start(task, 1, new LongAdder(), thread -> work.run());
  }

  @Override
  public void close() {
    sealing.close();
    renewing.close();
  }
}
