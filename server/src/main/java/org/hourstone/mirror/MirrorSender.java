package org.hourstone.mirror;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.mirror.MirrorCounts.Refused;
import org.hourstone.mirror.MirrorCounts.Skipped;
import org.hourstone.uid.NoSuchUidException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the points of a queue to another server, one request after the other, in their order. What
 * fails is repeated until it succeeds; what is refused is counted and left. A thread of its own
 * does it until it is closed. Thread-safe.
 */
final class MirrorSender implements AutoCloseable {
  private static final System.Logger LOG = MirrorQueue.LOG;

  /** About how many bytes of JSON are prepared before a request is sent, at least. */
  private static final int BATCH_BYTES = 64 << 10;

  /** About how many bytes a request to another Hourstone has. */
  private static final int LARGE_BYTES = 256 << 10;

  /** Up to how many bytes of JSON are prepared to find a witness. */
  private static final int MAX_WITNESS_BYTES = 1 << 20;

  private static final long IDLE_MILLIS = 1000;
  private static final long REFUSALS_MILLIS = 60_000;
  private static final long END_MILLIS = 5000;

  /** How often a store is asked which one it is, if no point waits for that. */
  private static final long STORE_MILLIS = 60_000;

  private final MirrorQueue queue;
  private final MirrorCounts counts;
  private final QueueReader reader;
  private final MirrorTarget target;
  private final MirroredSeries series;
  private final Supplier<String> store;
  private final StoreQuestion question;
  private final InstantSource clock;
  private final Pauses pauses;
  private final MirrorClient client;
  private final Thread thread = new Thread(this::run, "hourstone-mirror");
  private final CountDownLatch closed = new CountDownLatch(1);

  /** When the oldest point was written that is not settled; 0 if all are settled. */
  private volatile long oldestMillis;

  /** When requests began to fail; 0 if they don't. */
  private volatile long failingSince;

  // Of the thread.
  private final PutBatch batch = new PutBatch();
  private final Isolation isolation = new Isolation();
  private int sent;
  private @Nullable QueuedPoint unnamed;
  private int maxBody;
  private int maxPoints = Integer.MAX_VALUE;

  /** Requests that have failed since {@link #failingSince}. */
  private int failures;

  /** Requests that have failed since one was successful. */
  private int repeats;

  private long storeAskedAt;
  private long refusalLoggedAt;
  private long unloggedRefusals;

  /**
   * How long it waits.
   *
   * @param response for one, at most
   * @param first before a request is repeated; twice as long before the next attempt
   * @param longest the maximum of that
   */
  record Pauses(Duration response, Duration first, Duration longest) {
    static Pauses usual() {
      return new Pauses(Duration.ofSeconds(30), Duration.ofMillis(500), Duration.ofSeconds(15));
    }

    long millis(int failures) {
      return Math.min(longest.toMillis(), first.toMillis() << Math.min(failures - 1, 10));
    }
  }

  /**
   * @param store its identity; it fails if the store can't say that now
   */
  MirrorSender(
      MirrorQueue queue,
      MirrorTarget target,
      MirroredSeries series,
      Supplier<String> store,
      InstantSource clock,
      Pauses pauses) {
    this.queue = queue;
    this.counts = queue.counts();
    this.reader = new QueueReader(queue);
    this.target = target;
    this.maxBody = target.maxBody();
    this.series = series;
    this.store = store;
    this.clock = clock;
    this.pauses = pauses;
    this.question = new StoreQuestion(store, queue::wake);
    this.client = new MirrorClient(target, pauses.response());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!isClosed()) {
      try {
        step();
      } catch (InterruptedException e) {
        closed.countDown(); // an interrupt ends this thread
      } catch (RuntimeException e) {
        failed(String.valueOf(e.getMessage()));
      } catch (OutOfMemoryError e) {
        OutOfMemoryReport.report(e);
        failed("out of memory");
      } catch (Throwable e) {
        ForeignCode.report(e);
        failed(e.toString());
      }
    }
    reader.close();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Sends a request, or waits for points. */
  private void step() throws InterruptedException {
    awaitStore();
    if (sent == batch.size()) {
      long seen = queue.appends();
      settle();
      batch.clear();
      sent = 0;
      fill(Math.max(BATCH_BYTES, maxBody));
      if (batch.size() == 0) {
        settle();
        oldestMillis = 0;
        askStore();
        queue.await(seen, IDLE_MILLIS);
        return;
      }
    }
    int to = isolation.end(batch, sent, batch.rangeEnd(sent, maxPoints, maxBody));
    handle(client.send(batch, sent, to), to);
  }

  /** Asks the store which one it is if points must not be sent before it says so. */
  private void awaitStore() {
    try {
      if (!queue.store().mayBeSent()) {
        queue.store().compare(store.get());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the queue can't be used: " + e.getMessage(), e);
    }
  }

  /** While no point waits, asks a store again that could not say which one it is. */
  private void askStore() {
    if (queue.store().isKnown()) {
      return;
    }
    if (!question.isAsked()) {
      if (clock.millis() - storeAskedAt >= STORE_MILLIS) {
        question.ask();
      }
      return;
    }
    try {
      String answer = question.answer();
      if (answer != null) {
        queue.store().compare(answer);
      }
    } catch (IOException | RuntimeException e) { // the log has the first failure
      LOG.log(Level.DEBUG, "it is not known yet of which store the points are", e);
    }
    storeAskedAt = clock.millis(); // it may have taken a minute
  }

  /** All that was read is settled, unless its last point waits for its name. */
  private void settle() {
    if (unnamed == null) {
      queue.settle(reader.position());
    }
  }

  private void fill(int enough) {
    while (batch.bytes() < enough && !isClosed()) {
      QueuedPoint point = unnamed == null ? reader.next() : unnamed;
      if (point == null) {
        return;
      }
      if (batch.size() == 0) {
        oldestMillis = reader.millis();
      }
      unnamed = point; // stays so if the store fails
      try {
        batch.add(series.of(point.tsuid()), point);
      } catch (NoSuchUidException e) {
        counts.skipped(Skipped.UNKNOWN_SERIES, 1);
        logRefusal("a series has no name any more: " + e.getMessage());
      }
      unnamed = null;
    }
  }

  private void handle(PutResult result, int to) {
    maxBody =
        result instanceof PutResult.Settled settled && settled.isHourstone()
            ? Math.max(target.maxBody(), LARGE_BYTES)
            : target.maxBody();
    if (result instanceof PutResult.Failed failed) {
      failed(failed, to);
      return;
    }
    int points = to - sent;
    if (points == 1
        && result instanceof PutResult.Unexplained unexplained
        && !unexplained.isExplicit()) {
      failed(new PutResult.Failed(unexplained.text()), to);
      return;
    }
    if (result instanceof PutResult.Settled settled) {
      int refused = settled.refusals().size();
      settled.refusals().forEach(this::refuse);
      counts.sent(points - refused);
      maxPoints = Math.max(maxPoints, maxPoints + 1); // which may overflow
      if (points == 1 && refused == 0) {
        isolation.accepted(batch.point(sent));
      }
      settled(to);
    } else if (result instanceof PutResult.Unexplained unexplained) {
      if (points == 1) {
        refuse(
            new PutResult.Refusal(Refused.REQUEST, unexplained.text() + ": " + batch.text(sent)));
        settled(to);
      } else {
        maxPoints = points / 2; // one of them may be the reason, or their number
        counts.failed();
        succeeded();
        logRefusal(
            "the server refuses "
                + points
                + " points together, so they are sent in smaller requests: "
                + unexplained.text());
      }
    }
  }

  private void settled(int to) {
    sent = to;
    isolation.settled(to);
    succeeded();
  }

  private void failed(PutResult.Failed failed, int to) {
    if (!failed.isOfStore() && !isClosed()) {
      if (to - sent > 1) {
        isolation.failed(sent, to);
      } else if (isDueToPoint()) {
        giveUp(failed.text());
        return;
      }
    }
    failed(failed.text());
  }

  /** Whether it is proven that the server accepts other points than the one that has failed. */
  private boolean isDueToPoint() {
    int chance = ThreadLocalRandom.current().nextInt();
    int witness = isolation.witness(batch, sent, chance);
    if (witness < 0 && batch.bytes() < MAX_WITNESS_BYTES) {
      fill(batch.bytes() + BATCH_BYTES);
      witness = isolation.witness(batch, sent, chance);
    }
    boolean isAccepted = witness >= 0;
    for (int i = isolation.times(); isAccepted && i > 0; i--) {
      isAccepted =
          client.send(batch, witness, witness + 1) instanceof PutResult.Settled settled
              && settled.refusals().isEmpty();
    }
    return isolation.isProven(batch.point(sent), isAccepted);
  }

  private void giveUp(String why) {
    QueuedPoint point = batch.point(sent);
    String text =
        "a point keeps failing, while others are accepted: " + why + ": " + batch.text(sent);
    counts.refused(Refused.FAILING, 1);
    if (isolation.isKnown(point)) {
      logRefusal(text);
    } else {
      log(Level.WARNING, text);
    }
    sent++;
    isolation.givenUp(point, sent);
    succeeded();
  }

  private void refuse(PutResult.Refusal refusal) {
    counts.refused(refusal.reason(), 1);
    logRefusal("the server refuses a point: " + refusal.text());
  }

  /** At most one line in a minute. */
  private void logRefusal(String what) {
    long now = clock.millis();
    if (now - refusalLoggedAt < REFUSALS_MILLIS) {
      unloggedRefusals++;
      return;
    }
    log(
        Level.WARNING,
        what
            + (unloggedRefusals == 0 ? "" : "; " + unloggedRefusals + " more since the last line"));
    refusalLoggedAt = now;
    unloggedRefusals = 0;
  }

  private void log(Level level, String what) {
    LOG.log(level, "mirror " + target.name() + ": " + what);
  }

  private void failed(String why) {
    if (isClosed()) {
      return;
    }
    counts.failed();
    failures++;
    repeats++;
    if (failingSince == 0) {
      failingSince = clock.millis();
      log(Level.WARNING, "points can't be sent, and stay in the queue: " + why);
    }
    try {
      boolean unused = closed.await(pauses.millis(repeats), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closed.countDown();
    }
  }

  private void succeeded() {
    if (!isolation.isActive() && failingSince != 0) {
      log(
          Level.INFO,
          "points are sent again, after "
              + TimeUnit.MILLISECONDS.toSeconds(clock.millis() - failingSince)
              + " s; "
              + failures
              + " requests failed, "
              + queue.unsettledBytes()
              + " bytes wait");
      failingSince = 0;
      failures = 0;
    }
    repeats = 0;
  }

  boolean isFailing() {
    return failingSince != 0;
  }

  /** The age of the oldest point that is not settled, in seconds; 0 if all are settled. */
  long ageSeconds() {
    long oldest = oldestMillis;
    return oldest == 0 ? 0 : TimeUnit.MILLISECONDS.toSeconds(Math.max(0, clock.millis() - oldest));
  }

  /** Ends the thread; a request in progress is cancelled, and repeated after a restart. */
  @Override
  public void close() {
    closed.countDown();
    question.close();
    client.close();
    queue.wake();
    if (thread.isAlive()) {
      InstantSource real = InstantSource.system();
      Deadline.in(END_MILLIS, real).join(thread, real);
    }
  }
}
