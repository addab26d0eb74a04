package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutOfMemoryReportTest {
  private final List<Throwable> reported = new ArrayList<>();
  private Thread.UncaughtExceptionHandler before;

  @BeforeEach
  void handle() {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
  }

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void aCauseIsReported() {
    OutOfMemoryError cause = new OutOfMemoryError("Java heap space");
    OutOfMemoryReport.report(new IllegalStateException(cause));
    OutOfMemoryReport.report(new IllegalStateException());
    assertThat(reported).containsExactly(cause);
  }

  /** A task then waits, or is refused; the heap's exhaustion ends a daemon also there. */
  @Test
  void aThreadThatCanNotBeStartedIsNoShortageOfMemory() {
    OutOfMemoryError ofHeap = new OutOfMemoryError("Java heap space");
    OutOfMemoryError ofUnknown = new OutOfMemoryError();
    OutOfMemoryReport.reportUnlessOfThread(
        new OutOfMemoryError(
            "unable to create native thread: possibly out of memory or process/resource limits"));
    OutOfMemoryReport.reportUnlessOfThread(new RejectedExecutionException());
    OutOfMemoryReport.reportUnlessOfThread(ofHeap);
    OutOfMemoryReport.reportUnlessOfThread(ofUnknown);
    assertThat(reported).containsExactly(ofHeap, ofUnknown);
  }
}
