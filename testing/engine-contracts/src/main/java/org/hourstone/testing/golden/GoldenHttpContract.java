package org.hourstone.testing.golden;

import static java.time.temporal.ChronoUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, the requests of two recorded sequences are answered over it in strict
 * mode as OpenTSDB 2.4 answered them, each with what those before it left behind.
 */
public abstract class GoldenHttpContract {
  /** More than the sequence takes on a busy machine. */
  private static final Duration WHOLE_SEQUENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private @Nullable KeyValueStore store;
  private @Nullable Tsdb db;
  private @Nullable RequestPort port;

  /**
   * Opens the store under test, empty. The fixture's clock is at the moment of the recording; for a
   * store with a clock of its own it is moved to that clock's time. The sequence is then played in
   * the hour of that time, as far into the hour as the recording was: which intervals a query of
   * the last minutes covers depends on that, and last points are searched for in the hour in which
   * the store's clock says that they were written.
   */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /**
   * To be called first by a store whose clock can't be set: the sequence has to end in the hour in
   * which it begins, since last points are searched for in the hour in which they were written. So
   * it does not begin in an hour's last minutes.
   */
  public static void awaitTimeInTheHour() {
    Instant nextHour = Instant.now().truncatedTo(HOURS).plus(1, HOURS);
    if (Instant.now().plus(WHOLE_SEQUENCE).isAfter(nextHour)) {
      while (Instant.now().isBefore(nextHour)) {
        LockSupport.parkUntil(nextHour.toEpochMilli());
      }
    }
  }

  /** How the requests reach the database; it is closed before the database. */
  protected RequestPort serve(Tsdb database) {
    return RequestPort.of(database);
  }

  @TestFactory
  final Stream<DynamicTest> requestsAreAnsweredAsRecorded() {
    return play(HttpSequence.own().get(0));
  }

  @TestFactory
  final Stream<DynamicTest> requestsAreAnsweredAsRecordedWhereMetadataAreWritten() {
    return play(HttpSequence.own().get(1));
  }

  @AfterEach
  final void close() {
    if (port != null) {
      port.close();
    }
    if (db != null) {
      db.close();
    }
    if (store != null) {
      store.close();
    }
  }

  private Stream<DynamicTest> play(HttpSequence sequence) {
    StoreFixture fixture = StoreFixture.in(directory, 1);
    fixture.clock().advance(Duration.between(fixture.clock().instant(), sequence.run()));
    KeyValueStore opened = open(fixture);
    Duration later = HttpSequence.wholeHours(sequence.run(), fixture.clock().instant());
    Instant played = sequence.run().plus(later);
    fixture.clock().advance(Duration.between(fixture.clock().instant(), played));
    TsdbOptions options = sequence.options(GoldenConfig.options(Map.of()));
    Tsdb database = database(opened, options.withClock(fixture.clock()));
    RequestPort requests = port(database);
    return sequence.later(later).played(requests.isServer()).stream()
        .map(
            request ->
                DynamicTest.dynamicTest(
                    request.required("name").asText(),
                    () ->
                        assertThat(HttpSequence.difference(request, database, requests))
                            .describedAs("%s", request)
                            .isEmpty()));
  }

  /** One that is closed after the test, with its store. */
  final Tsdb database(KeyValueStore over, TsdbOptions options) {
    store = over;
    Tsdb opened = Tsdb.over(over, options);
    db = opened;
    return opened;
  }

  /** Closed after the test. */
  final RequestPort port(Tsdb database) {
    RequestPort served = serve(database);
    port = served;
    return served;
  }

  final StoreFixture fixture() {
    return StoreFixture.in(directory, 1);
  }
}
