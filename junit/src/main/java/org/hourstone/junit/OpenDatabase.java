package org.hourstone.junit;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.query.RunningQuery;
import org.hourstone.server.Server;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** A database of a test or of a class, and what belongs to it. Closed last opened first. */
final class OpenDatabase {
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
  private final TestClock clock;
  private final Tsdb db;
  private final Optional<TestServer> server;

  /** Opens all of it, or nothing. */
  OpenDatabase(Setup setup) throws Exception {
    Instant start = setup.start();
    clock = new TestClock(start == null ? Instant.now().truncatedTo(ChronoUnit.SECONDS) : start);
    try {
      db = Tsdb.open(setup.onRocksDb() ? directory() : "memory:", setup.options().withClock(clock));
      toClose.push(db);
      setup.seeds().forEach(seed -> seed.store(db));
      toClose.push(() -> refuseLeaks(db));
      server = setup.hasServer() ? Optional.of(serve()) : Optional.empty();
    } catch (Exception | Error e) {
      close(e);
      throw e;
    }
  }

  private String directory() throws IOException {
    Path directory = Files.createTempDirectory("hourstone-test");
    toClose.push(() -> delete(directory));
    return "rocksdb:" + directory.toUri().getRawPath();
  }

  private TestServer serve() throws IOException {
    Server started = Server.start(db);
    toClose.push(started);
    return new TestServer(started.address());
  }

  Tsdb db() {
    return db;
  }

  TestClock clock() {
    return clock;
  }

  Optional<TestServer> server() {
    return server;
  }

  /**
   * Closes all of it, whatever fails.
   *
   * @throws AssertionFailedError if a query was left open
   */
  void close() throws Exception {
    Throwable failure = close(null);
    if (failure instanceof Exception e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Returns the first failure, with the others as suppressed ones. */
  @SuppressWarnings("CatchingUnchecked")
  private @Nullable Throwable close(@Nullable Throwable before) {
    Throwable failure = before;
    while (!toClose.isEmpty()) {
      try {
        toClose.pop().close();
      } catch (Exception | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }

  private static void refuseLeaks(Tsdb db) {
    List<RunningQuery> left = db.runningQueries().list();
    if (!left.isEmpty()) {
      throw new AssertionFailedError(
          left.stream()
              .map(RunningQuery::text)
              .collect(
                  joining(
                      "\n  ",
                      "a test left queries open; close each SeriesCursor and RequestBudget:\n  ",
                      "")));
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(OpenDatabase::deleteFile);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
